/** `%` is any text, `_` any one character, line ends included. The escape counts only before one of these or itself. */
export const likePattern = (pattern: string, escapedBy?: string): RegExp => {
  const [first = "", ...others] = segmentsOf(pattern, escapedBy);
  const last = others.pop();
  // Each segment is looked for once, nearest first, and kept (what was looked ahead for is atomic): no text takes time beyond its length.
  const middle = others.filter((segment) => segment !== "").map((segment, index) => `(?=(.*?${segment}))\\${index + 1}`);
  return new RegExp(`^${first}${middle.join("")}${tailOf(last)}`, "su");
};

const tailOf = (last: string | undefined): string => {
  if (last === undefined) return "$";
  return last === "" ? "" : `.*${last}$`;
};

/** What stands between the `%`s, as sources of regular expressions. */
const segmentsOf = (pattern: string, escapedBy: string | undefined): readonly string[] => {
  const escaped = escapedBy === undefined ? "" : `${quoted(escapedBy)}[%_${quoted(escapedBy)}]|`;
  const segments = [""];
  for (const [unit] of pattern.matchAll(new RegExp(`${escaped}[\\s\\S]`, "gu"))) {
    if (unit === "%") segments.push("");
    else segments.push(segments.pop() + sourceOf(unit, escapedBy));
  }
  return segments;
};

const sourceOf = (unit: string, escapedBy: string | undefined): string => {
  if (unit === "_") return ".";
  return quoted(unit.length > 1 && unit[0] === escapedBy ? unit.slice(1) : unit);
};

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
