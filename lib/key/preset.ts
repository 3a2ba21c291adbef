/**
 * Named patterns for what agents put into prompts.
 *
 * @module
 */

/** Where a run takes place. */
export interface KeyContext {
  /** Absolute path of the working directory. */
  readonly cwd: string;
  /** Absolute path of the home directory. */
  readonly home: string;
}

const month = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\.?";
const weekday = "(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\\.?,? )?";
const time =
  "\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d+)?)?(?: ?[AaPp]\\.?[Mm]\\b\\.?)?(?: ?(?:Z\\b|UTC\\b|GMT\\b)?(?:[+-]\\d{2}:?\\d{2})?)?";
const day = [
  "\\d{4}-\\d{2}-\\d{2}",
  "\\d{4}/\\d{2}/\\d{2}",
  "\\d{1,2}/\\d{1,2}/\\d{4}",
  `${weekday}${month} \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}`,
  `${weekday}\\d{1,2}(?:st|nd|rd|th)? ${month},? \\d{4}`,
].join("|");

/**
 * Looks a preset up.
 *
 * @param name `date`: a day as programs and people write it, with the time behind it; `uuid`; `cwd` and `home`: the path.
 * @param context Where the run takes place; a path of one segment or none is never replaced.
 * @returns A global pattern, or `null` when there is no such preset.
 */
export function presetPattern(name: string, context: KeyContext): RegExp | null {
  switch (name) {
    case "date":
      return new RegExp(`(?<![\\w.])(?:${day})(?:(?:T|,? (?:at )?)${time})?(?![\\d])`, "g");
    case "uuid":
      return /(?<![0-9a-f])[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![0-9a-f])/gi;
    case "cwd":
      return pathPattern(context.cwd);
    case "home":
      return pathPattern(context.home);
    default:
      return null;
  }
}

/** The path as it is and inside a JSON string, not as the start of a longer name. */
function pathPattern(path: string): RegExp {
  const trimmed = path.replace(/[\\/]+$/, "");
  if (trimmed.length < 2) return /(?!)/g;
  const forms = [trimmed, JSON.stringify(trimmed).slice(1, -1)].map((form) =>
    form.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  );
  return new RegExp(`(?:${forms.join("|")})(?![\\w-])`, "g");
}
