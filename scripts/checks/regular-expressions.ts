/**
 * Proves that every regular expression of `src` and `web` takes linear time. An exception names the maximum length of its
 * input in a comment on its line or on the line before it:
 *
 *     // linear: a label of a host has at most 63 characters
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { check } from "recheck";
import { type FoundExpression, findExpressions } from "./find-expressions.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The number of steps that an exception may take with its longest input. */
const maxSteps = 10_000_000;

/** Steps instead of times bound the search of attacks: its result does not depend on the load of the machine. */
const parameters = { timeout: 120_000, attackTimeout: null, incubationTimeout: null };

type Outcome = Awaited<ReturnType<typeof check>>;

const outcomes = new Map<string, Outcome>();

async function outcomeOf(source: string, flags: string): Promise<Outcome> {
  const key = `/${source}/${flags}`;
  const outcome = outcomes.get(key) ?? (await check(source, flags, parameters));
  outcomes.set(key, outcome);
  return outcome;
}

/** A loop that takes most characters one at a time, as the first or the last of alternatives. */
const stackLoops = [
  /\(\?:\[\^(?:\\.|[^\]\\])*\]\|(?:[^()|]|\(\?[=!][^()|]*\))*\)[*+]/,
  /\(\?:(?:[^()|]|\(\?[=!][^()|]*\))*\|\[\^(?:\\.|[^\]\\])*\]\)[*+]/,
];

/** The problem of an expression; undefined for a linear one, and for an exception whose bound is small enough. */
async function problemOf({ pattern, exception }: FoundExpression): Promise<string | undefined> {
  if (pattern === undefined) {
    const isBounded = exception !== undefined && 2 ** maxLengthOf(exception) <= maxSteps;
    return isBounded
      ? undefined
      : "its pattern is not a constant: write a literal, or code without an expression";
  }
  if (exception === undefined && stackLoops.some((loop) => loop.test(pattern.source)))
    return "its loop needs stack for each character, which a long text does not have: write `[^x]*(?:other[^x]*)*`";
  const outcome = await outcomeOf(pattern.source, pattern.flags);
  if (outcome.status === "safe")
    return exception === undefined ? undefined : "it is linear: remove the comment `linear: ...`";
  if (outcome.status === "unknown") return `it was not analyzed (${outcome.error.kind}): make it simpler`;
  const { complexity, attack } = outcome;
  if (exception === undefined) return `it is ${complexity.summary}; attack: ${attack.pattern}`;
  const max = maxLengthOf(exception);
  if (Number.isNaN(max)) return "its comment must end with `at most N characters`";
  const steps = complexity.type === "polynomial" ? max ** complexity.degree : 2 ** max;
  return steps <= maxSteps ? undefined : `it is ${complexity.summary}, too slow for ${max} characters`;
}

/** The bound of an exception; NaN for a comment without one. */
function maxLengthOf(exception: string): number {
  return Number(/ at most ([\d,]+) characters$/.exec(exception)?.[1]?.replaceAll(",", ""));
}

const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "src", "web"], {
  cwd: root,
  encoding: "utf8",
});
const files = listed.split("\n").filter((file) => /\.tsx?$/.test(file));
const read = (file: string) => readFileSync(root + file, "utf8");
const found = files.flatMap((file) => findExpressions(file, read));

let problems = 0;
for (const expression of found) {
  const problem = await problemOf(expression);
  if (problem === undefined) continue;
  problems++;
  console.error(`${expression.file}:${expression.line}  ${expression.text}\n  ${problem}`);
}

const all = [...outcomes.values()];
const proven = all.filter(({ status, checker }) => status === "safe" && checker === "automaton").length;
const searched = all.filter(({ status, checker }) => status === "safe" && checker === "fuzz").length;
const excepted = found.filter(({ exception }) => exception !== undefined).length;
console.log(
  `${found.length} regular expressions: of ${all.length} different ones ${proven} are linear, for ${searched} no attack was found; ${excepted} have a bound on their input.`,
);
process.exit(problems === 0 ? 0 : 1);
