/** A piece of a pattern: itself, or a wildcard. */
export type LikeUnit = { readonly text: string } | { readonly any: "text" | "character" };

/** `%` is any text, `_` any one character, line ends included. The escape counts only before one of these or itself. */
export const likeUnits = (pattern: string, escapedBy?: string): readonly LikeUnit[] => {
  const escaped = escapedBy === undefined ? "" : `${quoted(escapedBy)}[%_${quoted(escapedBy)}]|`;
  return [...pattern.matchAll(new RegExp(`${escaped}[\\s\\S]`, "gu"))].map(([unit]): LikeUnit => {
    if (unit === "%") return { any: "text" };
    if (unit === "_") return { any: "character" };
    return { text: unit.length > 1 && unit[0] === escapedBy ? unit.slice(1) : unit };
  });
};

export const likePattern = (pattern: string, escapedBy?: string): RegExp => {
  const [first = "", ...others] = segmentsOf(likeUnits(pattern, escapedBy));
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
const segmentsOf = (units: readonly LikeUnit[]): readonly string[] => {
  const segments = [""];
  for (const unit of units) {
    if ("any" in unit && unit.any === "text") segments.push("");
    else segments.push(segments.pop() + ("any" in unit ? "." : quoted(unit.text)));
  }
  return segments;
};

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
