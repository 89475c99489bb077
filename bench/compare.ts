/** `npm run bench -- compare BEFORE.json AFTER.json`: the rows of two runs side by side, the largest change first. */
import { readFileSync } from "node:fs";
import type { Row } from "./harness.ts";

const [before, after] = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")) as Row[]);
if (before === undefined || after === undefined) {
  console.error("compare needs two files of `npm run bench -- --json FILE`");
  process.exit(2);
}

const earlier = new Map(before.map((row) => [row.what, row]));
const changes = after.flatMap((row) => {
  const old = earlier.get(row.what);
  return old === undefined ? [] : [{ what: row.what, old, row, change: row.ratio / old.ratio }];
});
changes.sort((a, b) => Math.abs(Math.log(b.change)) - Math.abs(Math.log(a.change)));
console.log("before    after     change    what");
for (const { what, old, row, change } of changes) {
  const percent = `${change < 1 ? "" : "+"}${(100 * (change - 1)).toFixed(0)} %`;
  const cells = [old.ratio.toPrecision(3), row.ratio.toPrecision(3), percent];
  console.log(`${cells.map((cell) => cell.padEnd(8)).join("  ")}  ${what}`);
}
const measuredAgain = new Set(after.map((row) => row.what));
for (const { what } of before) if (!measuredAgain.has(what)) console.log(`only before: ${what}`);
for (const { what } of after) if (!earlier.has(what)) console.log(`only after: ${what}`);
