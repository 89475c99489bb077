/** Comparisons over a few locations, and a grid of requests with every combination of their results. */

import fc from "fast-check";
import type { PlaceholderToken } from "../../../../src/engine/tokens/analysis/requests/placeholder-token.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import { printExpression } from "../../../../src/engine/tokens/expression/printer.ts";
import type { Expression } from "../../../../src/engine/tokens/expression/tree.ts";
import type { SimulatedRequest, TokenConfig, TokenRule } from "../../../../src/engine/tokens/model.ts";
import { compileZone } from "../../../../src/engine/tokens/zone/zone.ts";
import { mintKey, mintToken } from "../../../../src/testing/tokens/mint.ts";
import { expressionTree } from "../expression-tree.ts";
import { modelField, modelTruth } from "../model.ts";

const first = await mintKey("ES256", "k1");
const second = await mintKey("ES256", "k2");

/** Valid tokens by key id. */
export const tokens = { k1: await mintToken(first), k2: await mintToken(second) };

/** Tokens that no configuration accepts: one that expired at 1 s since 1970, and one of another key. */
export const invalidTokens = {
  expired: await mintToken(first, { exp: 1 }),
  forged: await mintToken(await mintKey("ES256", "k1")),
};

const header = 'http.request.headers["x-a"][0]';
const cookie = 'http.request.cookies["c"][0]';

/** Configurations that share sources and keys in every combination. */
export const configs: readonly TokenConfig[] = [
  { id: "a", token_sources: [header], credentials: { keys: [first.jwk] } },
  { id: "b", token_sources: [header], credentials: { keys: [second.jwk] } },
  { id: "c", token_sources: [header, cookie], credentials: { keys: [first.jwk, second.jwk] } },
  { id: "d", token_sources: [cookie], credentials: { keys: [first.jwk] } },
];

const leafTexts = [
  ...configs.flatMap(({ id }) => [`is_jwt_valid("${id}")`, `is_jwt_present("${id}")`]),
  'http.request.method eq "GET"',
  'http.request.method in {"GET" "POST"}',
  'http.request.method ne "POST"',
  'http.request.method eq "get"',
  'http.request.uri.path eq "/a"',
  'http.request.uri.path contains "a"',
  'http.request.uri.path wildcard "/A*"',
  'http.request.uri.path strict wildcard "/*b"',
  'http.request.headers["accept"][0] eq "a"',
  'http.request.headers["Accept"][0] ne "a"',
  'http.request.headers["accept"][1] contains "b"',
  'http.request.headers["x-a"][0] contains "Bearer"',
];

/** Comparisons with functions; the analysis does not look into the last one. */
const functionTexts = [
  'starts_with(http.request.uri.path, "/a")',
  'lower(http.request.headers["accept"][0]) eq "a"',
  'any(http.request.headers["accept"][*] eq "b")',
  'all(http.request.headers["accept"][*] ne "z")',
  "len(http.request.uri.path) ge 3",
  'http.request.uri matches r"\\bc"',
];

export function parse(text: string): Expression {
  const parsed = parseExpression(text);
  if (!parsed.ok) throw new Error(parsed.problems[0].message);
  return parsed.value;
}

/** Expressions of the leaves. */
export const expression = expressionOf(leafTexts);

/** Expressions of the leaves and of comparisons with functions. */
export const expressionWithFunctions = expressionOf([...leafTexts.slice(0, 12), ...functionTexts]);

function expressionOf(texts: readonly string[]): fc.Arbitrary<Expression> {
  const size = { maxDepth: 3, depthSize: "medium", maxOperands: 3 } as const;
  return expressionTree(fc.constantFrom(...texts.map(parse)), 2, size);
}

interface Point {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
}

const methods = ["GET", "POST", "PUT"];
const paths = ["/", "/a", "/A", "/ab", "/Ab", "/b", "/ca", "/cab", "/c"];
const headerValues = [
  undefined,
  "",
  "x",
  "Bearer",
  "Bearer x",
  tokens.k1,
  `Bearer ${tokens.k1}`,
  tokens.k2,
  `Bearer ${tokens.k2}`,
];
const cookieValues = [undefined, "", "x", tokens.k1, tokens.k2];
const accepts = [[], ["a"], ["z"], ["a", "b"], ["a", "z"], ["z", "b"], ["z", "z"]];

/** A request for every combination of values. */
export const grid: readonly Point[] = methods.flatMap((method) =>
  paths.flatMap((path) =>
    headerValues.flatMap((header) =>
      cookieValues.flatMap((cookie) =>
        accepts.map((accept) => ({
          method,
          url: `https://api.example.com${path}`,
          headers: [
            ...accept.map((value) => ["accept", value] as const),
            ...(header === undefined ? [] : [["x-a", header] as const]),
            ...(cookie === undefined ? [] : [["cookie", `c=${cookie}`] as const]),
          ],
        })),
      ),
    ),
  ),
);

/** The value of an expression by the plain model. */
export function modelValue(tree: Expression, point: Point): boolean {
  const value = (field: Parameters<typeof modelField>[1]) => modelField(point, field);
  const found = (id: string): string | undefined => {
    const fromHeader = value({ name: "http.request.headers", key: "x-a", index: 0 })?.replace(
      /^Bearer ?/,
      "",
    );
    const fromCookie = value({ name: "http.request.cookies", key: "c", index: 0 });
    const sources = id === "c" ? [fromHeader, fromCookie] : [id === "d" ? fromCookie : fromHeader];
    return sources.find((text) => text !== undefined && text !== "");
  };
  const good: Record<string, readonly (string | undefined)[]> = {
    a: [tokens.k1],
    b: [tokens.k2],
    c: [tokens.k1, tokens.k2],
    d: [tokens.k1],
  };
  return modelTruth(tree, {
    value,
    present: (id) => found(id) !== undefined,
    valid: (id) => good[id]!.includes(found(id) ?? ""),
  });
}

/** Replaces the placeholder tokens of a request by real tokens. */
export function withTokens<R extends SimulatedRequest>(
  request: R,
  placeholderTokens: readonly PlaceholderToken[],
): R {
  let text = JSON.stringify(request);
  for (const { value, kid } of placeholderTokens)
    text = text.replaceAll(value, tokens[kid as keyof typeof tokens]);
  return JSON.parse(text) as R;
}

/** The value of an expression in the published engine with real tokens. */
export async function realValue(tree: Expression, request: SimulatedRequest): Promise<boolean> {
  const { hostname } = new URL(request.url);
  const rule: TokenRule = {
    id: "r",
    action: "block",
    enabled: true,
    expression: printExpression(tree),
    selector: { include: [{ host: [hostname] }] },
  };
  const zone = await compileZone({ configs, rules: [rule] }, { clock: () => 0 });
  return (await zone.evaluate(request)).action === "allow";
}
