/** Fails when the catalogue has a code that no test provoked. Runs after the whole suite. */
import { readFileSync } from "node:fs";
import { catalogue } from "../src/errors.ts";

const provoked = new Set(readFileSync("coverage/provoked-codes.txt", "utf8").split("\n"));
const missing = Object.keys(catalogue).filter((code) => !provoked.has(code));
if (missing.length > 0) {
  console.error(`No test provokes ${missing.join(", ")}: add one, or take the code out of the catalogue.`);
  process.exit(1);
}
console.log(`Every one of the ${Object.keys(catalogue).length} codes is provoked by a test.`);
