/**
 * Domain matching: whole labels against fast-levenshtein over every pair, contained patterns against a scalar Myers loop over all of
 * them, in one run. Names come as strings; reading them counts. `--names file` measures on the names of a file, one a line.
 *
 * Patterns are labels like those of the names, of 5 to 20 letters; for contained ones of 8 to 14: shorter ones are, at two or three
 * edits, found in so many names that describing matches is all that is measured (a row of that kind is reported).
 */
import { createReadStream, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compileQueries, type MatchMode, normalizeHost } from "edgeproof/brand";
import levenshtein from "fast-levenshtein";
import { floods, type Hostile, nearMisses } from "./brand-hostile.ts";
import { generateNames, generatePatterns, queriesOf, scalarMyers } from "./brand-names.ts";
import { type Body, type Contest, measureAll, type Rows, sink } from "./harness.ts";

export interface BrandBench {
  /** A file of names, one a line; without it names are generated. */
  readonly namesFile?: string;
}

const nameCount = 20_000;
const streamedNames = 300_000;

/** Patterns, edits, and what is asked for: whole label against all pairs, contained against the scalar loop. */
const table = [
  [10, 2, 8, 3],
  [100, 2, 60, 4],
  [1000, 1, 800, 15],
  [1000, 2, 400, 5],
  [1000, 3, 100, 4],
] as const;

/** Measures all of it. */
export async function* benchBrand({ namesFile }: BrandBench = {}): Rows {
  reportMemory();
  const names = namesFile === undefined ? generateNames(nameCount) : readNames(namesFile);
  yield* measureAll([
    ...table.map(([count, limit, whole]) => labelContest(names, count, limit, whole)),
    ...table.map(([count, limit, , part]) =>
      containsContest(names, generatePatterns(count, 8, 14), limit, part),
    ),
    {
      ...containsContest(names, generatePatterns(1000, 5, 8), 2, 0),
      what: "brand: contains, 1000 patterns of 5 to 8 letters, 2 edits",
      target: "report",
    },
    ...table.map(([count, limit, whole]) => tokenContest(names, count, limit, 0.8 * whole)),
    confusablesContest(names, 1),
    recommendedContest(names, "of 5 to 20 letters", generatePatterns(1000)),
    ...(namesFile === undefined
      ? []
      : [recommendedContest(names, "of the file", labelsBeside(namesFile, names))]),
    ...[1, 2].flatMap((limit) => [growthContest(names, 10, limit), growthContest(names, 100, limit)]),
    ...nearMisses.flatMap((input) => hostileContests(input)),
    ...floods.flatMap((input) => floodContests(input)),
  ]);
  await reportStream(names);
}

function readNames(file: string): string[] {
  const names = readFileSync(file, "utf8")
    .split(/\r?\n/)
    .filter((line) => normalizeHost(line).ok);
  // Every so many of a sorted file, so that the sample is not all one letter.
  const step = Math.max(1, Math.floor(names.length / nameCount));
  return names.filter((_, i) => i % step === 0).slice(0, nameCount);
}

/** Calls with one name after the other. */
function each(names: readonly string[], use: (name: string) => unknown): Body {
  let next = 0;
  return () => {
    next = next + 1 < names.length ? next + 1 : 0;
    return use(names[next]!);
  };
}

function labelsOf(names: readonly string[]): string[] {
  return names.map((name) => hostOf(name)?.label ?? "");
}

function textsOf(names: readonly string[]): string[] {
  return names.map((name) => hostOf(name)?.text ?? "");
}

function hostOf(name: string) {
  const result = normalizeHost(name);
  return result.ok ? result.value : undefined;
}

function labelContest(names: readonly string[], count: number, limit: number, atLeast: number): Contest {
  const patterns = generatePatterns(count);
  const matcher = compileQueries(queriesOf(patterns, limit), { mode: "label" });
  const allPairs = (label: string) => {
    let found = 0;
    for (const pattern of patterns) if (levenshtein.get(pattern, label) <= limit) found += 1;
    return found;
  };
  return {
    what: `brand: whole label, ${count} patterns, ${limit} edits, against fast-levenshtein over all pairs`,
    ours: each(names, (name) => matcher.match(name)),
    peer: each(labelsOf(names), allPairs),
    target: { atLeast },
  };
}

/** Whole parts of names; the target is 0.8 of that of whole labels. */
function tokenContest(names: readonly string[], count: number, limit: number, atLeast: number): Contest {
  const patterns = generatePatterns(count);
  const matcher = compileQueries(queriesOf(patterns, limit), { mode: "token" });
  const allPairs = (text: string) => {
    let found = 0;
    for (const token of text.split(/[-.]/))
      for (const pattern of patterns) if (levenshtein.get(pattern, token) <= limit) found += 1;
    return found;
  };
  return {
    what: `brand: token, ${count} patterns, ${limit} edits, against fast-levenshtein over all pairs`,
    ours: each(names, (name) => matcher.match(name)),
    peer: each(textsOf(names), allPairs),
    target: { atLeast },
  };
}

/** With and without the second channel. */
function confusablesContest(names: readonly string[], limit: number): Contest {
  const queries = queriesOf(generatePatterns(1000, 8, 14), limit);
  const both = compileQueries(queries, { confusables: true });
  const plain = compileQueries(queries);
  return {
    what: `brand: contains, 1000 patterns, ${limit} edit, with confusables against without`,
    ours: each(names, (name) => both.match(name)),
    peer: each(names, (name) => plain.match(name)),
    target: { atLeast: 0.5 },
  };
}

/** Mode `recommended` against contained patterns. */
function recommendedContest(names: readonly string[], what: string, patterns: readonly string[]): Contest {
  const queries = queriesOf(patterns, 1);
  const recommended = compileQueries(queries, { mode: "recommended" });
  const contains = compileQueries(queries);
  return {
    what: `brand: recommended, ${patterns.length} patterns ${what}, against contains, 1 edit`,
    ours: each(names, (name) => recommended.match(name)),
    peer: each(names, (name) => contains.match(name)),
    target: { atMost: 3 },
  };
}

/** A thousand labels of the file's other names, spread over it: much like the names, so that many names match. */
function labelsBeside(file: string, names: readonly string[]): string[] {
  const measured = new Set(labelsOf(names));
  const labels = [...new Set(labelsOf(readFileSync(file, "utf8").split(/\r?\n/)))].filter(
    (label) => label.length >= 5 && label.length <= 20 && !measured.has(label),
  );
  const step = Math.max(1, Math.floor(labels.length / 1000));
  return labels.filter((_, i) => i % step === 0).slice(0, 1000);
}

function scalarBody(
  patterns: readonly string[],
  limit: number,
  mode: MatchMode,
  texts: readonly string[],
): Body {
  let found = 0;
  const search = scalarMyers(patterns, limit, mode, () => {
    found += 1;
  });
  return each(texts, (text) => {
    search(text);
    return found;
  });
}

function containsContest(
  names: readonly string[],
  patterns: readonly string[],
  limit: number,
  atLeast: number,
): Contest {
  const matcher = compileQueries(queriesOf(patterns, limit));
  return {
    what: `brand: contains, ${patterns.length} patterns, ${limit} edits, against scalar Myers over all`,
    ours: each(names, (name) => matcher.match(name)),
    peer: scalarBody(patterns, limit, "contains", textsOf(names)),
    target: { atLeast },
  };
}

/** A hundred times more patterns. */
function growthContest(names: readonly string[], from: number, limit: number): Contest {
  const [few, many] = [from, 100 * from].map((count) =>
    compileQueries(queriesOf(generatePatterns(count), limit), { mode: "label" }),
  );
  return {
    what: `brand: whole label, ${100 * from} patterns against ${from}, ${limit} edits`,
    ours: each(names, (name) => many!.match(name)),
    peer: each(names, (name) => few!.match(name)),
    target: { atMost: 4 },
  };
}

const modes = ["label", "contains"] as const;

function hostileContests({ what, patterns, texts }: Hostile): Contest[] {
  return modes.map((mode) => {
    const matcher = compileQueries(queriesOf(patterns, 2), { mode });
    const searched = mode === "contains" ? texts : texts.map((text) => text.slice(text.lastIndexOf(".") + 1));
    return {
      what: `brand: ${what} (${mode}, 2 edits)`,
      ours: each(suffixed(texts), (name) => matcher.match(name)),
      peer: scalarBody(patterns, 2, mode, searched),
      target: { atMost: 1.5 },
    };
  });
}

/** The peer finds by the scalar loop, and has each pattern's own matcher describe what it found. */
function floodContests({ what, patterns, texts }: Hostile): Contest[] {
  return modes.map((mode) => {
    const matcher = compileQueries(queriesOf(patterns, 3), { mode });
    const single = patterns.map((pattern) => compileQueries(queriesOf([pattern], 3), { mode }));
    let name = "";
    const search = scalarMyers(patterns, 3, mode, (i) => {
      sink.value = single[i]!.match(name);
    });
    return {
      what: `brand: ${what} (${mode}, 3 edits), matches described by both`,
      ours: each(suffixed(texts), (text) => matcher.match(text)),
      peer: each(texts, (text) => {
        name = `${text}.com`;
        search(text);
      }),
      target: { atMost: 1.5 },
    };
  });
}

function suffixed(texts: readonly string[]): string[] {
  return texts.map((text) => `${text}.com`);
}

/** Memory of ten thousand patterns, tables and heap together. */
function reportMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const used = () => {
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  // Kept to the end, so that what one mode takes is not what another gave back.
  const kept: unknown[] = [];
  for (const mode of modes) {
    const queries = queriesOf(generatePatterns(10_000), 2);
    kept.push(queries);
    const before = used();
    const matcher = compileQueries(queries, { mode });
    kept.push(matcher);
    const bytes = used() - before;
    console.error(
      `brand: 10,000 patterns, 2 edits, ${mode}: ${(bytes / 1e6).toFixed(1)} MB, ${matcher.tableBytes} bytes of them tables`,
    );
  }
  sink.value = kept;
}

/** `scan` from a file, end to end, against only reading its lines. */
async function reportStream(names: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "edgeproof-bench-"));
  const file = join(folder, "names.txt");
  await writeFile(file, Array.from({ length: streamedNames }, (_, i) => names[i % names.length]).join("\n"));
  const matcher = compileQueries(queriesOf(generatePatterns(1000), 1), { mode: "label" });
  for (const [what, read] of [
    ["lines in batches", batchesOf],
    ["readline", (path: string) => createInterface({ input: createReadStream(path) })],
  ] as const) {
    const start = performance.now();
    let matched = 0;
    for await (const _ of matcher.scan(read(file))) matched += 1;
    const seconds = (performance.now() - start) / 1000;
    const rate = Math.round(streamedNames / seconds).toLocaleString("en");
    console.error(
      `brand: scan of a file, ${what}, 1000 patterns, 1 edit: ${rate} names/s, ${matched} matched`,
    );
  }
  await rm(folder, { recursive: true });
}

/** The lines of a file, as many at a time as a chunk holds. */
async function* batchesOf(file: string): AsyncGenerator<string[]> {
  let rest = "";
  for await (const chunk of createReadStream(file, { encoding: "utf8" })) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    yield lines;
  }
  if (rest !== "") yield [rest];
}
