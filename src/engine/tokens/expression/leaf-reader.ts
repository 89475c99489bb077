/** Reads the leaves of expressions: their values, and for explanations what they compare. */

import { compileIsMissing, compileLeafTest, type Evaluate } from "./compile.ts";
import { compileStream, compileValue, type Program, type Read } from "./compile-value.ts";
import { missing, unknown } from "./language/types.ts";
import { printedTree, printLeafValue } from "./printer.ts";
import { compileShown } from "./shown-value.ts";
import type { Test } from "./tree.ts";
import { configsOf, jsonSources } from "./tree-queries.ts";
import { exceededLimit } from "./values/json-lookup.ts";
import type { RequestValues } from "./values/request-values.ts";

/** Reads a leaf. What only explanations ask for is compiled when it is first asked for. */
export interface LeafReader {
  readonly test: Evaluate;
  /** Whether the request has no value to compare, so that the leaf is false. */
  isMissing(values: RequestValues): boolean;
  /**
   * The compared value, printed, or the reasons that there is none, such as `missing: expired`; undefined when the value of
   * the leaf shows it. `reasonOf` returns the outcome of the check of a configuration's token.
   */
  found(values: RequestValues, reasonOf: (configId: string) => string | undefined): string | undefined;
}

/** Maximum length of a printed value, in code units (`chosen`). */
const maxFound = 1_000;

/** The start of a token in a run of its characters. */
const tokenStart = /(?:^|[.-])ey[AJ]/;

/** A text in which tokens, and the starts of tokens, are `***`, whatever has them. */
function withoutTokens(text: string): string {
  return text.replace(/[\w.-]+/g, (run) => {
    const found = run.search(tokenStart);
    if (found === -1) return run;
    const start = run.startsWith("ey", found) ? found : found + 1;
    return run.includes(".", start) ? `${run.slice(0, start)}***` : run;
  });
}

/** The readers of each program, by canonical spelling. */
const readers = new WeakMap<Program, Map<string, LeafReader>>();

/** The reader of a leaf other than a test of a token; equal leaves of a program share it. */
export function leafReader(program: Program, leaf: Test): LeafReader {
  const ofProgram = readers.get(program) ?? new Map<string, LeafReader>();
  readers.set(program, ofProgram);
  const text = printedTree(leaf);
  const known = ofProgram.get(text);
  if (known !== undefined) return known;
  let isMissing: LeafReader["isMissing"] | undefined;
  let found: LeafReader["found"] | undefined;
  const reader: LeafReader = {
    test: compileLeafTest(program, leaf),
    isMissing: (values) => {
      isMissing ??= compileIsMissing(program, leaf);
      return isMissing(values);
    },
    found: (values, reasonOf) => {
      found ??= compileFound(program, leaf);
      return found(values, reasonOf);
    },
  };
  ofProgram.set(text, reader);
  return reader;
}

function compileFound(program: Program, leaf: Test): LeafReader["found"] {
  const value = leaf.kind === "comparison" ? leaf.left : leaf.kind === "test" ? leaf.value : undefined;
  if (value === undefined) return () => undefined;
  const read: Read = value.isEach ? compileStream(program, value) : compileValue(program, value);
  const shownOf = compileShown(program, value);
  const sources = jsonSources(leaf).map((source) => compileValue(program, source));
  const { configs } = configsOf(leaf);
  const shown = leaf.kind === "comparison" && leaf.right.kind === "literal" ? leaf.right.value : undefined;
  return (values, reasonOf) => {
    const found = read(values);
    if (found === missing) {
      if (configs.length + sources.length === 0) return undefined;
      const rejected = configs.flatMap((id) => reasonOf(id) ?? []).filter((reason) => reason !== "valid");
      const reasons = [...rejected, ...new Set(sources.flatMap((source) => limitOf(source(values))))];
      return reasons.length === 0 ? undefined : `missing: ${reasons.join(", ")}`;
    }
    // A Bool is the value of its leaf, and the operand is in its text.
    if (found === unknown || found === shown || leaf.kind === "test") return undefined;
    const text = withoutTokens(printLeafValue(value.type, shownOf(values, found)));
    return text.length > maxFound ? `${text.slice(0, maxFound)}...` : text;
  };
}

function limitOf(bytes: unknown): string | readonly [] {
  return (typeof bytes === "string" ? exceededLimit(bytes) : undefined) ?? [];
}
