import { delimiter, join, resolve } from "node:path";

/** Where tools of the system lie that a user's PATH may lack. */
const systemFolders = ["/usr/local/sbin", "/usr/sbin", "/sbin", "/usr/bin", "/bin"];

/** Finds a program that a sandbox is made with; `null` when it is not there. */
export function findTool(name: string, path: string | undefined): string | null {
  const folders = [...foldersOf(path), ...systemFolders];
  return folders.map((folder) => join(folder, name)).find((place) => standing(place) === "executable") ?? null;
}

/** What stands where a command names a file. */
export type Standing = "executable" | "other" | "nothing";

/**
 * Tells what a command's first word leads to, as a shell would find it.
 *
 * @param path The PATH that it is looked up in.
 */
export function commandStanding(name: string, cwd: string, path: string | undefined): Standing {
  if (name.includes("/")) return standing(resolve(cwd, name));
  const found = foldersOf(path).map((folder) => standing(resolve(cwd, folder, name)));
  return found.find((each) => each === "executable") ?? found.find((each) => each === "other") ?? "nothing";
}

function foldersOf(path: string | undefined): string[] {
  return (path ?? "").split(delimiter).filter((folder) => folder !== "");
}

const anyoneExecutes = 0o111;

function standing(path: string): Standing {
  try {
    const { isFile, mode } = Deno.statSync(path);
    return isFile && ((mode ?? anyoneExecutes) & anyoneExecutes) !== 0 ? "executable" : "other";
  } catch {
    return "nothing"; // not there, or behind a folder that is closed to us: for us the same
  }
}
