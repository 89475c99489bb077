/** The benchmarks: the exit code of a program with targets says whether one was missed. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { programs } from "../bench/benches.ts";

test.each(Object.entries(programs))(
  "the program %s sets its exit code, or is listed as without targets",
  (_, { file, withoutTargets = false }) => {
    const code = readFileSync(`bench/${file}`, "utf8");
    expect(code.includes("process.exitCode = ")).toBe(!withoutTargets);
  },
);
