import { describe, expect, test } from "vitest";
import { whyNot } from "../support/e2e/may-run.ts";

describe("a network is deployed on MiniStack", () => {
  const here = { asked: false, ci: false, python: "3.10.0" };
  test.for([
    { rule: "where there is Python 3.10", surroundings: here, says: undefined },
    { rule: "or a later one", surroundings: { ...here, python: "3.14.1" }, says: undefined },
    {
      rule: "not with an older one, which is named",
      surroundings: { ...here, python: "3.9.19" },
      says: /3\.10 or later, and python3 is 3\.9\.19$/,
    },
    { rule: "not with Python 2", surroundings: { ...here, python: "2.7.18" }, says: /python3 is 2\.7\.18$/ },
    { rule: "not without any", surroundings: { ...here, python: undefined }, says: /there is no python3 here$/ },
    {
      rule: "not in CI, which says how to do it all the same",
      surroundings: { ...here, ci: true },
      says: /^nothing is deployed in CI.*`npm run e2e`/,
    },
    { rule: "in CI when asked by name", surroundings: { ...here, ci: true, asked: true }, says: undefined },
    { rule: "not by asking alone", surroundings: { asked: true, ci: true, python: undefined }, says: /there is no python3 here$/ },
  ])("$rule", ({ surroundings, says }) => {
    const why = whyNot(surroundings);
    if (says === undefined) expect(why).toBeUndefined();
    else expect(why).toMatch(says);
  });
});
