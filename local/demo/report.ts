/** One line of the table at the end: what was promised and what was seen. */
export interface Finding {
  readonly scene: string;
  readonly expected: string;
  readonly seen: string;
}

export const holds = ({ expected, seen }: Finding): boolean => expected === seen;

/** Scenes run side by side; the table tells them in the order of their letters. */
export const inOrder = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => letterOf(a).localeCompare(letterOf(b), "en"));

const letterOf = ({ scene }: Finding): string => scene.slice(0, 3);

/** A table in plain text, with a mark for each line. */
export const tableOf = (findings: readonly Finding[]): string => {
  const rows = findings.map((finding) => [holds(finding) ? "ok" : "FAILED", finding.scene, finding.expected, finding.seen]);
  const lines = [["", "scene", "promised", "seen"], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const [head = "", ...body] = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return [head, "-".repeat(head.length + 8), ...body].join("\n");
};
