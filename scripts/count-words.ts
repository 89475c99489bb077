/** Counts the words of the pages that are written by hand: a page that grows must make room. */
import { readdirSync, readFileSync } from "node:fs";
import { generated } from "./generated.ts";

/** Maximum number of words of all pages together. */
const maxWords = 38_000;

/** Pages that are made from the code, except those of which a part is. */
const made = new Set(generated.map(({ path }) => path).filter((path) => path !== "README.md"));

const pages = [
  ...readdirSync(".").filter((file) => file.endsWith(".md")),
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("api/"))
    .map((file) => `docs/${file}`),
].filter((file) => !made.has(file));

/** Words have a letter or a digit: borders of tables do not count. */
function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const counts = pages
  .map((file) => [file, wordsIn(readFileSync(file, "utf8"))] as const)
  .toSorted(([, a], [, b]) => b - a);
const total = counts.reduce((sum, [, count]) => sum + count, 0);

if (process.argv.includes("--list")) for (const [file, count] of counts) console.log(`${count}\t${file}`);
console.log(`${total} words by hand in ${counts.length} pages; the maximum is ${maxWords}`);
if (total > maxWords) process.exitCode = 1;
