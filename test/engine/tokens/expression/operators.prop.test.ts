/** Each operator of the table agrees with a plain model, for values at the ends of their type and strings of few letters. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type OperatorName,
  operatorsOfType,
} from "../../../../src/engine/tokens/expression/language/operators.ts";
import { toInt } from "../../../../src/engine/tokens/expression/typed-literals.ts";
import { parseAddress } from "../../../../src/engine/tokens/expression/values/address.ts";
import { wildcardProblem } from "../../../../src/engine/tokens/expression/wildcard.ts";
import { runs } from "../../../support/runs.ts";
import { evaluate, type Model, type R } from "./custom/reference.ts";

const text = (pieces: readonly string[], maxLength: number) =>
  fc.array(fc.constantFrom(...pieces), { maxLength }).map((all) => all.join(""));

const values: Readonly<Record<"Int" | "IP" | "String", fc.Arbitrary<Model>>> = {
  Int: fc
    .tuple(
      fc.constantFrom(0n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 63n - 2n, -(2n ** 32n), -(2n ** 63n) + 1n),
      fc.constantFrom(-1n, 0n, 1n),
    )
    .map(([near, by]) => ({ t: "int", v: near + by })),
  IP: fc
    .constantFrom("0.0.0.0", "0.0.0.1", "127.255.255.255", "128.0.0.0", "::", "::1", "::1:0:0", "ffff::1")
    .map((v) => ({ t: "ip", v })),
  String: text(["a", "A", "b", "[", "{", "é", "*", "\\"], 5).map((v) => ({ t: "string", v: Buffer.from(v) })),
};

const wildcards = text(["a", "A", "b", "ab", "*", "*", "\\*", "\\\\", "é"], 6).filter(
  (operand) => wildcardProblem(operand) === undefined,
);
const patterns = fc.constantFrom("^a", "b$", "[A-Z]", "a.b", "^$", "(?:ab)+", "[^a]");

const toValue = (model: Model): unknown => {
  if (model.t === "int") return toInt(model.v);
  if (model.t === "ip") return parseAddress(model.v);
  return model.t === "string" ? model.v.toString("latin1") : null;
};

const literal = (value: Model): R => ({ k: "literal", text: "", value });
const bytesOf = (content: string) => Buffer.from(content).toString("latin1");

/** The operands of an operator by their kind, in the model and for the engine. */
const operands = (type: "Int" | "IP" | "String", kind: string): fc.Arbitrary<readonly [R, unknown]> => {
  if (kind === "wildcard" || kind === "regex")
    return (kind === "regex" ? patterns : wildcards).map((pattern) => {
      return [{ k: kind, text: "", pattern: bytesOf(pattern) }, bytesOf(pattern)] as const;
    });
  return values[type].map((value) => [literal(value), toValue(value)] as const);
};

const cases = (["Int", "IP", "String"] as const).flatMap((type) =>
  [...operatorsOfType(type)].flatMap(([name, entry]) =>
    entry.operand === "set" ? [] : [[type, name, entry] as const],
  ),
);

test.each(cases)("%s %s agrees with the plain model", (type, name, entry) => {
  const seen = new Set<unknown>();
  const world = { fields: new Map(), lists: new Map() };
  fc.assert(
    fc.property(values[type], operands(type, entry.operand), (value, [right, operand]) => {
      const left = literal(value) as Extract<R, { k: "literal" }>;
      const expected = evaluate({ k: "compare", left, op: name satisfies OperatorName, right }, world);
      const actual =
        "compile" in entry
          ? entry.compile(operand as string)(toValue(value) as string)
          : "holds" in entry && entry.holds(toValue(value), operand);
      expect(actual).toBe(expected);
      seen.add(actual);
    }),
    { numRuns: runs(20_000, 2_000) },
  );
  expect(seen).toEqual(new Set([true, false]));
});
