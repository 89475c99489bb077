/** Laws of custom rules: the compiled expression agrees with plain evaluation, and printing with parsing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileCustom } from "../../../../../src/engine/tokens/expression/compile.ts";
import { createProgram } from "../../../../../src/engine/tokens/expression/compile-value.ts";
import { parseExpression } from "../../../../../src/engine/tokens/expression/parser.ts";
import { printExpression } from "../../../../../src/engine/tokens/expression/printer.ts";
import type { Expression } from "../../../../../src/engine/tokens/expression/tree.ts";
import { compileList } from "../../../../../src/engine/tokens/expression/values/lists.ts";
import { startValues } from "../../../../../src/engine/tokens/expression/values/request-values.ts";
import { readRequest } from "../../../../../src/engine/tokens/zone/request.ts";
import { runs } from "../../../../support/runs.ts";
import { expression, knownRanges, printModel, type RandomRequest, rangeOf, request } from "./arbitraries.ts";
import { claimsOf } from "./evaluate-custom.ts";
import { evaluate, type Model, type World } from "./reference.ts";

const limits = { maxLength: 1_000_000, maxNesting: 1000 };

function parse(text: string): Expression {
  const parsed = parseExpression(text, { ...limits, rules: "custom" });
  if (!parsed.ok) throw new Error(`${parsed.problems[0].message}\n${parsed.problems[0].excerpt}`);
  return parsed.value;
}

const known = compileList("ip", knownRanges);
const lists = new Map(known.ok ? [["known", known.value] as const] : []);
const scope = { configurations: new Set(["C1"]), lists };

/** A JSON value in the model; strings in it are addresses for `ip.src` alone. */
function modelOf(value: unknown): Model {
  if (typeof value === "string") return { t: "string", v: Buffer.from(value) };
  if (typeof value === "number") return { t: "int", v: BigInt(value) };
  if (typeof value === "boolean") return { t: "bool", v: value };
  if (Array.isArray(value)) return { t: "array", v: value.map(modelOf) };
  const entries = Object.entries(value as object);
  return {
    t: "map",
    v: new Map(entries.map(([name, value]) => [Buffer.from(name).toString("latin1"), modelOf(value)])),
  };
}

function worldOf({ fields, ip, body, payload }: RandomRequest): World {
  const all = new Map(Object.entries(fields).map(([name, value]) => [name, modelOf(value)]));
  if (ip !== undefined) all.set("ip.src", { t: "ip", v: ip });
  if (body !== undefined) all.set("http.request.body.raw", modelOf(body));
  const claims = payload === undefined ? {} : (JSON.parse(payload) as { aud?: unknown; nbf?: unknown });
  const aud = typeof claims.aud === "string" ? [claims.aud] : claims.aud;
  all.set("http.request.jwt.claims", modelOf(payload === undefined ? {} : { C1: [payload] }));
  all.set("http.request.jwt.claims.aud", modelOf(Array.isArray(aud) ? { C1: aud } : {}));
  all.set(
    "http.request.jwt.claims.nbf.sec",
    modelOf(typeof claims.nbf === "number" ? { C1: [claims.nbf] } : {}),
  );
  return { fields: all, lists: new Map([["known", knownRanges.map(rangeOf)]]) };
}

function compiledValue(
  text: string,
  request: RandomRequest,
): { truth: boolean | "unknown"; needs: string[] } {
  const program = createProgram(scope);
  const compiled = compileCustom(program, text, parse(text));
  if (!compiled.ok) throw new Error(compiled.problems[0].message);
  const simulated = { method: "GET", url: "https://www.example.com/", ...request };
  const claims = claimsOf(request.payload === undefined ? {} : { C1: request.payload }, ["C1"]);
  const values = startValues(program, readRequest(simulated), simulated, 0, claims);
  const truth = compiled.value.test(values) ?? "unknown";
  return { truth, needs: truth === "unknown" ? compiled.value.needs(values) : [] };
}

describe("a random typed expression", () => {
  test("has the value of plain evaluation, and names what it needs only when it is unknown", () => {
    const met = { true: 0, false: 0, unknown: 0 };
    fc.assert(
      fc.property(expression, fc.array(request, { minLength: 1, maxLength: 4 }), (e, requests) => {
        for (const request of requests) {
          const { truth, needs } = compiledValue(printModel(e), request);
          expect(truth, printModel(e)).toBe(evaluate(e, worldOf(request)));
          expect(needs.length > 0).toBe(truth === "unknown");
          met[String(truth) as "true"]++;
        }
      }),
      { numRuns: runs(5_000, 300) },
    );
    expect(Math.min(...Object.values(met))).toBeGreaterThan(50);
  });

  test("is parsed to the same tree after it was printed", () => {
    fc.assert(
      fc.property(expression, (e) => {
        const tree = parse(printModel(e));
        const printed = printExpression(tree);
        expect(withoutSpans(parse(printed))).toEqual(withoutSpans(tree));
        expect(printExpression(parse(printed))).toBe(printed);
      }),
      { numRuns: runs(5_000, 300) },
    );
  });
});

function withoutSpans(tree: unknown): unknown {
  if (Array.isArray(tree)) return tree.map(withoutSpans);
  if (typeof tree !== "object" || tree === null) return tree;
  const members = Object.entries(tree).filter(([name]) => name !== "span" && name !== "keySpan");
  return Object.fromEntries(members.map(([name, value]) => [name, withoutSpans(value)]));
}

describe("a hostile text", () => {
  const pieces = [
    "(",
    ")",
    "[*]",
    "any(",
    "not ",
    "lower(",
    "http.host",
    " eq ",
    '"a"',
    "{",
    "ip.src",
    "1..2",
    "$x",
    "&",
    ",",
    "é",
    "\t",
    "'",
    " in ",
    "http.request.headers",
    '["a"]',
    "[0]",
    "-",
    "0x",
    "::",
    "/8",
  ];
  test("never throws, and an error has a position in it", () => {
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "grapheme" })), (content) => {
        const parsed = parseExpression(content, { rules: "custom" });
        if (parsed.ok) expect(printExpression(parsed.value)).not.toBe("");
        else expect(parsed.problems[0].offset).toBeLessThanOrEqual(content.length);
      }),
      { numRuns: runs(5_000) },
    );
  });

  test.each([
    ["10,000 parentheses", `${"(".repeat(10_000)}ssl${")".repeat(10_000)}`, "at most 4096 characters"],
    ["129 parentheses", `${"(".repeat(129)}ssl${")".repeat(129)}`, "nested at most 128 levels deep"],
    [
      "129 calls",
      `${"lower(".repeat(129)}http.host${")".repeat(129)} eq ""`,
      "nested at most 128 levels deep",
    ],
    ["4,096 characters of `[*]`", "[*]".repeat(1365), "Expected a field"],
    [
      "a field with 1,300 `[*]`",
      `http.request.headers${"[*]".repeat(1300)}`,
      "`http.request.headers[*][*]` is a String, which has no index",
    ],
    ["65 regular expressions", Array(65).fill('http.host ~ "a"').join(" or "), "this is number 65"],
    ["11 stars", 'http.host wildcard "*a*a*a*a*a*a*a*a*a*a*a"', "must have at most 10"],
  ])("%s has a message", (_, text, message) => {
    const parsed = parseExpression(text, { rules: "custom" });
    expect(parsed.ok ? "" : parsed.problems[0].message).toContain(message);
  });

  test.each([
    ["128 parentheses", `${"(".repeat(128)}ssl${")".repeat(128)}`],
    ["64 regular expressions", Array(64).fill('http.host ~ "a"').join(" or ")],
    ["10 stars", 'http.host wildcard "*a*a*a*a*a*a*a*a*a*a"'],
  ])("%s are accepted", (_, text) => {
    expect(parseExpression(text, { rules: "custom" }).ok).toBe(true);
  });
});
