/** What the system may answer about a file, a folder or a full disk: the user's affair, never a bug of ours. */
const fileCodes: ReadonlySet<string> = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "EEXIST",
  "ENOTEMPTY",
  "EBUSY",
  "ETXTBSY",
  "ENOSPC",
  "EDQUOT",
  "EFBIG",
  "EIO",
  "ESTALE",
  "EMFILE",
  "ENFILE",
  "ENXIO",
]);

/** Tells whether the system refused something about a file. */
export function isFileError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" && fileCodes.has(error.code);
}

/** The reason of an error with the path that the system gave. */
export function reasonAndPath(error: Error): string {
  return error.message.replace(/ \(os error \d+\)/, "");
}

/** The reason of an error as the end of a sentence: without its number, and without the path that the sentence names. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const short = reason.replace(/ \(os error \d+\)/, "").replace(/: (?:tmpdir|[a-z]+ '[^']*'(?: -> '[^']*')?)$/, "");
  return short === reason ? reason : short.charAt(0).toLowerCase() + short.slice(1);
}
