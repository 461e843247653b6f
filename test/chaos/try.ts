import { playHistory } from "./history.ts";

const [from = 1, n = 20] = process.argv.slice(2).map(Number);
const total: Record<string, number> = {};
let bad = 0;
for (let s = from; s < from + n; s++) {
  const t = Date.now();
  const v = await playHistory(s);
  for (const [k, c] of v.census) total[k] = (total[k] ?? 0) + c;
  if (v.lost.length || v.doubled.length || v.stuck) {
    bad++;
    console.log(
      s,
      v.sent,
      v.delivered,
      "lost",
      v.lost.join(),
      "doubled",
      v.doubled.join(),
      "excused",
      v.excused,
      "stuck",
      v.stuck,
      Date.now() - t,
      "ms",
    );
  }
}
console.log(bad, total);
