/**
 * Compares the evaluation of expressions with a build of the provider's open-source engine, the npm package
 * `firewalker`, which is installed into a temporary folder (Linux on x64):
 *
 *     node --import tsx scripts/compare-firewalker.ts [--rules token|custom|patterns] [--expressions 20000] [--seed 1]
 *
 * The build has no `wildcard` and no `is_jwt_*`, and its functions on strings are patches of its author. Its bindings
 * declare two gigabytes of memory for each rule, so that the garbage collection runs several times for each: the other
 * engine runs in a process of its own with almost nothing on its heap, for a batch of expressions, and compiles each
 * expression once. That takes 20 ms of processor time for each expression. Its `matches` is regex 1.3.9 without patches, over
 * bytes; `--rules patterns` searches random patterns in bytes, and prints every difference with its reason.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { parseExpression } from "../src/engine/tokens/expression/parser.ts";
import { compileZone } from "../src/engine/tokens/zone/zone.ts";
import {
  compileCustomOwn,
  customExpression,
  customLists,
  customRequests,
  withoutNotEqual as withoutCustomNotEqual,
} from "./firewalker-custom.ts";
import {
  patternExpression,
  patternOutcome,
  patternSubjects,
  patternText,
  withoutNames,
} from "./firewalker-patterns.ts";

interface ComparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

const texts = [
  "",
  "a",
  "A",
  "/a",
  "/A/b",
  "GET",
  "POST",
  "www.example.org",
  "example",
  "x=1",
  "q",
  "aB",
  "12",
];
const text = fc.constantFrom(...texts).map((value) => JSON.stringify(value));
const regularExpression = fc
  .constantFrom("^/a", "[A-Z]+", "a|b", "^$", "b$", "(a.)*", "x=[0-9]")
  .map((p) => `"${p}"`);
const header = fc.constantFrom("x-tag", "accept", "x-none").map((name) => `http.request.headers["${name}"]`);
const field = fc.oneof(
  fc.constantFrom(
    "http.request.method",
    "http.host",
    "http.request.uri.path",
    "http.request.uri",
    "http.request.uri.query",
  ),
  header.map((list) => `${list}[0]`),
);
const cased = (value: fc.Arbitrary<string>) =>
  fc.oneof(
    value,
    fc.tuple(fc.constantFrom("lower", "upper"), value).map(([name, inner]) => `${name}(${inner})`),
  );
const operator = fc.constantFrom("eq", "==", "ne", "!=", "contains");

function comparison(value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(cased(value), operator, text).map((parts) => parts.join(" ")),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(cased(value), regularExpression).map((parts) => parts.join(" matches ")),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(value, fc.array(text, { minLength: 1, maxLength: 3 })).map(([of, set]) => {
        return `${of} in {${set.join(" ")}}`;
      }),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom("starts_with", "ends_with"), cased(value), text)
        .map(([name, of, operand]) => `${name}(${of}, ${operand})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(value, fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge"), fc.nat({ max: 20 }))
        .map(([of, name, length]) => `len(${of}) ${name} ${length}`),
    },
  );
}

const quantified = fc
  .tuple(fc.constantFrom("any", "all"), comparison(header.map((list) => `${list}[*]`)))
  .map(([name, inner]) => `${name}(${inner})`);
const leaf = fc.oneof({ weight: 5, arbitrary: comparison(field) }, { weight: 1, arbitrary: quantified });
const expression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    { weight: 2, arbitrary: leaf },
    { weight: 1, arbitrary: tie("node").map((operand) => `not (${operand})`) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie("node"), fc.constantFrom(" or ", " || ", " xor ", " and ", " && "), tie("node"))
        .map((parts) => parts.join("")),
    },
  ),
})).node;

/** The requests that each expression is evaluated for. */
const requests: readonly ComparedRequest[] = [
  { method: "GET", url: "http://www.example.org/a", headers: [] },
  {
    method: "POST",
    url: "http://www.example.org/A/b?x=1",
    headers: [
      ["x-tag", "a"],
      ["accept", "a"],
    ],
  },
  { method: "GET", url: "http://example.org/", headers: [["x-tag", "aB"]] },
  {
    method: "POST",
    url: "http://example.org/aB?q=2",
    headers: [["accept", "12"]],
  },
  {
    method: "GET",
    url: "http://a.example/a?x=1",
    headers: [
      ["x-tag", "12"],
      ["accept", "aB"],
    ],
  },
  {
    method: "DELETE",
    url: "http://12.example.org/GET",
    headers: [["x-tag", "A"]],
  },
  {
    method: "POST",
    url: "http://example/q?example=1",
    headers: [["accept", "example"]],
  },
  {
    method: "GET",
    url: "http://www.example.org/12",
    headers: [
      ["x-tag", "GET"],
      ["accept", "q"],
    ],
  },
];

/** Installs the package. */
function install(folder: string): void {
  writeFileSync(join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--silent", "firewalker@1.0.10"], {
    cwd: folder,
    stdio: "inherit",
  });
}

/**
 * The process of the other engine: reads expressions and requests as JSON, and writes for each expression the values for
 * the requests, or the message of its error. A context is what a rule matches; the build has no public way to one, and
 * it takes a fifth of a second to build.
 */
const worker = `
const { Firewall, Request } = require("firewalker");
const { readFileSync } = require("node:fs");
const { expressions, requests, lists } = JSON.parse(readFileSync(0, "utf8"));
const engine = new Firewall();
const contexts = requests.map(({ url, method, headers, cf, body }) => {
  const rule = engine.createRule('http.host eq ""', lists);
  let context;
  rule.matchUsingContext = (built) => {
    built.free = () => undefined;
    context = built;
    return false;
  };
  rule.match(new Request(url, { method, headers, cf }));
  if (body !== undefined) addBody(context, body, Object.fromEntries(headers)["content-type"] ?? "");
  return context;
});
// The build reads the description of a stream as the body.
function addBody(context, body, mime) {
  context.addString("http.request.body.raw", body);
  context.addNumber("http.request.body.size", body.length);
  const form = new Map();
  if (mime !== "")
    for (const [name, value] of body.split("&").map((pair) => pair.split("=")))
      form.set(name, [...(form.get(name) ?? []), value]);
  context.addStringMap("http.request.body.form", form);
  context.addStringArray("http.request.body.form.names", [...form.keys()]);
  context.addStringArray("http.request.body.form.values", [...form.values()].flat());
}
const results = expressions.map((text) => {
  let rule;
  try {
    // The bindings count code units as bytes.
    rule = engine.createRule(text + " ".repeat(Buffer.byteLength(text) - text.length));
  } catch (error) {
    return error.message;
  }
  return contexts.map((context) => rule.matchUsingContext(context));
});
process.stdout.write(JSON.stringify(results));
`;

/** The values of the other engine for each expression and request; undefined for an expression that it rejects. */
function evaluateThere(...parameters: Parameters<typeof runThere>): (readonly boolean[] | undefined)[] {
  return runThere(...parameters).map((result) => (typeof result === "string" ? undefined : result));
}

/** The values of the other engine for each expression and request, or the message of its error. */
function runThere(
  folder: string,
  expressions: readonly string[],
  requests: readonly object[],
  lists: object = {},
): (readonly boolean[] | string)[] {
  const { stdout, status } = spawnSync(process.execPath, ["-e", worker], {
    cwd: folder,
    encoding: "utf8",
    input: JSON.stringify({ expressions, requests, lists }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error("The other engine failed.");
  return JSON.parse(stdout) as (readonly boolean[] | string)[];
}

/** Creates the function from requests to the values of an expression. */
async function compileOwn(text: string): Promise<(request: ComparedRequest) => boolean> {
  const selector = {
    include: [{ host: requests.map(({ url }) => new URL(url).hostname) }],
  };
  const rule = {
    id: "r",
    action: "block" as const,
    enabled: true,
    expression: text,
    selector,
  };
  const zone = await compileZone({ configs: [], rules: [rule] }, { clock: () => 0 });
  return (request) => zone.evaluateSync(request).action === "allow";
}

/** A comparison by `ne` outside of quantifiers. */
const notEqual =
  /((?:(?:lower|upper|len)\()?http\.[a-z.]+(?:\["[^"]+"\]\[\d+\])?\)?) (?:ne|!=) ("[^"]*"|\d+)/g;

/** The expression with `not ... eq` for each `ne`: true for a missing value, as `ne` is in the other engine. */
function withoutNotEqual(text: string): string {
  return text.replace(notEqual, "not $1 eq $2");
}

/** Whether an expression has functions, which are the work of the build's author. */
function hasFunctions(text: string): boolean {
  return /\b(?:lower|upper|len|starts_with|ends_with|any|all)\(/.test(text);
}

/** The number of pairs of expression and request with each outcome, or of expressions that are rejected, and the shortest example. */
type Outcomes = Record<string, { times: number; example: string }>;

function count(outcomes: Outcomes, kind: string, example: string, times = 1): void {
  const known = outcomes[kind] ?? { times: 0, example };
  const isShorter = example.length < known.example.length;
  outcomes[kind] = {
    times: known.times + times,
    example: isShorter ? example : known.example,
  };
}

/** Compares a batch of expressions, each for every request. */
async function compareBatch(
  folder: string,
  outcomes: Outcomes,
  expressions: number,
  seed: number,
): Promise<void> {
  const texts = fc.sample(expression, { numRuns: expressions, seed });
  const there = evaluateThere(folder, texts, requests);
  for (const [i, text] of texts.entries()) {
    const functions = hasFunctions(text) ? ", with functions" : "";
    const theirs = there[i];
    const isParsed = parseExpression(text).ok;
    if (theirs === undefined || !isParsed) {
      const side = isParsed ? acceptedHere(text) : "accepted there alone";
      const isBoth = !isParsed && theirs === undefined;
      count(outcomes, (isBoth ? "rejected by both" : side) + functions, text);
      continue;
    }
    const own = await compileOwn(text);
    const rewritten = await compileOwn(withoutNotEqual(text));
    for (const [at, request] of requests.entries()) {
      const isKnown = rewritten(request) === theirs[at];
      const different = isKnown ? "different: `ne` of a missing header" : "different for another reason";
      const kind = own(request) === theirs[at] ? "the same value" : different;
      count(outcomes, kind + functions, `${text}   for ${JSON.stringify(request)}`);
    }
  }
}

/** Compares a batch of expressions of custom rules, each for every request. */
async function compareCustomBatch(
  folder: string,
  outcomes: Outcomes,
  expressions: number,
  seed: number,
): Promise<void> {
  const texts = fc.sample(customExpression, { numRuns: expressions, seed });
  const all = evaluateThere(folder, texts, customRequests, customLists);
  for (const [i, text] of texts.entries()) {
    const theirs = all[i];
    const own = compileCustomOwn(text);
    if (theirs === undefined || own === undefined) {
      const cause = text.includes('r#"')
        ? ": a raw string"
        : /(?:any|all)\(\(/.test(text)
          ? ": a combination of arrays"
          : "";
      const here = `accepted here alone${cause}`;
      const there = theirs === undefined ? "rejected by both" : "accepted there alone";
      count(outcomes, own === undefined ? there : here, text);
      continue;
    }
    const rewritten = compileCustomOwn(text, withoutCustomNotEqual);
    for (const [at, request] of customRequests.entries()) {
      const value = own(request);
      const isKnown = rewritten?.(request) === theirs[at];
      const other = /\ball\((?:starts|ends)_with\(/.test(text)
        ? "different: `all` of the results of a call for a missing array"
        : text.includes("args.values[")
          ? "different: the order of repeated arguments"
          : "different for another reason";
      const different = isKnown ? "different: `ne` of a missing value" : other;
      const kind =
        value === undefined
          ? "unknown here: a list that was not given, of which every value is outside there"
          : value === theirs[at]
            ? "the same value"
            : different;
      count(outcomes, kind, `${text}   for ${request.method} ${request.url}`);
    }
  }
}

/** Compares a batch of patterns, each in every string, which is percent-encoded in a body. */
async function comparePatternBatch(
  folder: string,
  outcomes: Outcomes,
  patterns: number,
  seed: number,
): Promise<void> {
  const texts = fc.sample(patternText, { numRuns: patterns, seed });
  const requests = patternSubjects.map((subject) => ({
    method: "POST",
    url: "http://www.example.org/",
    headers: [],
    body: Array.from(subject, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`).join(""),
  }));
  const named = texts.filter((text) => withoutNames(text) !== text);
  const all = [...texts, ...named.map(withoutNames)].map(patternExpression);
  const results = runThere(folder, all, requests);
  for (const [i, text] of texts.entries()) {
    const outcome = patternOutcome(text, results[i] ?? "");
    const again = results[texts.length + named.indexOf(text)] ?? "";
    const isNamed = outcome === "different: values" && named.includes(text);
    const isKnown = isNamed && patternOutcome(text, again) === "the same values";
    count(outcomes, isKnown ? "the same values, without names of classes" : outcome, JSON.stringify(text));
  }
}

/** A function of all values of a header, of which the other engine wants another notation. */
const functionOfAll =
  /\b(?:lower|upper|len|starts_with|ends_with)\(\s*(?:lower\(|upper\()*http[^\]]*\]\[\*\]/;

function acceptedHere(text: string): string {
  return functionOfAll.test(text) ? "accepted here alone: a function of `[*]`" : "accepted here alone";
}

/** The number of expressions in one process of the other engine. */
const batchSize = 500;

/** Runs all batches, one after the other, and prints the outcomes so far after each. */
async function compareAll(
  folder: string,
  compare: typeof compareBatch,
  expressions: number,
  firstSeed: number,
): Promise<void> {
  const outcomes: Outcomes = {};
  for (let done = 0, seed = firstSeed; done < expressions; done += batchSize, seed++) {
    const size = Math.min(batchSize, expressions - done);
    await compare(folder, outcomes, size, seed);
    process.stdout.write(`${done + size} expressions\n`);
    for (const [kind, { times, example }] of Object.entries(outcomes))
      process.stdout.write(`${String(times).padStart(7)}  ${kind}\n         ${example}\n`);
  }
}

const { values } = parseArgs({
  options: { rules: { type: "string" }, expressions: { type: "string" }, seed: { type: "string" } },
});
const folder = mkdtempSync(join(tmpdir(), "edgeproof-firewalker-"));
try {
  install(folder);
  const compare =
    values.rules === "patterns"
      ? comparePatternBatch
      : values.rules === "custom"
        ? compareCustomBatch
        : compareBatch;
  await compareAll(folder, compare, Number(values.expressions ?? 20_000), Number(values.seed ?? 1));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
