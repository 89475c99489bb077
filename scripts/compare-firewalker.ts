/**
 * Compares the evaluation of expressions with a build of the provider's open-source engine, the npm package
 * `firewalker`, which is installed into a temporary folder (Linux on x64):
 *
 *     node --import tsx scripts/compare-firewalker.ts [--expressions 20000] [--seed 1]
 *
 * The build has no `wildcard` and no `is_jwt_*`, and its functions on strings are patches of its author. Its bindings
 * declare two gigabytes of memory for each rule, so that the garbage collection runs for each, which takes ten
 * milliseconds: so each expression is compiled once and evaluated for a few requests, and a process does a batch.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { parseExpression } from "../src/engine/tokens/expression/parser.ts";
import { compileZone } from "../src/engine/tokens/zone/zone.ts";

/** A rule; it matches a context, which takes a fifth of a second to build from a request. */
interface FirewalkerRule {
  match(request: unknown): boolean;
  matchUsingContext(context: FirewalkerContext): boolean;
}

interface FirewalkerContext {
  free(): void;
}

interface FirewalkerEngine {
  createRule(text: string): FirewalkerRule;
}

interface Firewalker {
  readonly Firewall: new () => FirewalkerEngine;
  readonly Request: new (url: string, init: object) => unknown;
}

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

/** The requests, of which each process builds the contexts once. */
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

/** The context of a request: the build has no public way to one. */
function contextOf(
  engine: FirewalkerEngine,
  { Request }: Firewalker,
  request: ComparedRequest,
): FirewalkerContext {
  const rule = engine.createRule('http.host eq ""');
  let context: FirewalkerContext | undefined;
  rule.matchUsingContext = (built) => {
    built.free = () => undefined;
    context = built;
    return false;
  };
  rule.match(
    new Request(request.url, {
      method: request.method,
      headers: request.headers,
    }),
  );
  if (context === undefined) throw new Error("The engine built no context.");
  return context;
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

/** Compares a batch of expressions, each for every request; runs in a process of its own. */
async function compareBatch(folder: string, expressions: number, seed: number): Promise<Outcomes> {
  const firewalker = createRequire(join(folder, "package.json"))("firewalker") as Firewalker;
  const engine = new firewalker.Firewall();
  const contexts = requests.map((request) => [request, contextOf(engine, firewalker, request)] as const);
  const outcomes: Outcomes = {};
  for (const text of fc.sample(expression, { numRuns: expressions, seed })) {
    const functions = hasFunctions(text) ? ", with functions" : "";
    const rule = createRule(engine, text);
    const isParsed = parseExpression(text).ok;
    if (rule === undefined || !isParsed) {
      const side = isParsed ? "accepted here alone" : "accepted there alone";
      count(outcomes, (isParsed === (rule !== undefined) ? "rejected by both" : side) + functions, text);
      continue;
    }
    const own = await compileOwn(text);
    const rewritten = await compileOwn(withoutNotEqual(text));
    for (const [request, context] of contexts) {
      const theirs = rule.matchUsingContext(context);
      const isKnown = rewritten(request) === theirs;
      const different = isKnown ? "different: `ne` of a missing header" : "different for another reason";
      const kind = own(request) === theirs ? "the same value" : different;
      count(outcomes, kind + functions, `${text}   for ${JSON.stringify(request)}`);
    }
  }
  return outcomes;
}

/** A rule with an expression; undefined when the engine rejects it. */
function createRule(engine: FirewalkerEngine, text: string): FirewalkerRule | undefined {
  try {
    return engine.createRule(text);
  } catch {
    return undefined;
  }
}

/** The number of expressions in one process. */
const batchSize = 500;

/** Runs all batches, one after the other. */
function compareAll(folder: string, expressions: number, firstSeed: number): Outcomes {
  const outcomes: Outcomes = {};
  for (let done = 0, seed = firstSeed; done < expressions; done += batchSize, seed++) {
    const size = Math.min(batchSize, expressions - done);
    const batch = ["--batch", folder, "--expressions", String(size), "--seed", String(seed)];
    const { stdout, status } = spawnSync(
      process.execPath,
      ["--import", "tsx", import.meta.filename, ...batch],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    if (status !== 0) throw new Error(`The batch with seed ${seed} failed.`);
    for (const [kind, { times, example }] of Object.entries(JSON.parse(stdout) as Outcomes))
      count(outcomes, kind, example, times);
  }
  return outcomes;
}

const { values } = parseArgs({
  options: {
    expressions: { type: "string" },
    seed: { type: "string" },
    batch: { type: "string" },
  },
});
const [expressions, seed] = [Number(values.expressions ?? 20_000), Number(values.seed ?? 1)];
if (values.batch !== undefined) {
  process.stdout.write(JSON.stringify(await compareBatch(values.batch, expressions, seed)));
} else {
  const folder = mkdtempSync(join(tmpdir(), "edgeproof-firewalker-"));
  try {
    install(folder);
    for (const [kind, { times, example }] of Object.entries(compareAll(folder, expressions, seed)))
      process.stdout.write(`${String(times).padStart(7)}  ${kind}\n         ${example}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
