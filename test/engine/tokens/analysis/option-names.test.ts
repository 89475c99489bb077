/** Options that do not exist are rejected by each function of the analysis. */
import { profiles } from "edgeproof";
import { analyze, compareExpressions, compareZones, implies } from "edgeproof/analysis";
import { lookAlikes, mintKey, mintToken, tokenArbitraries } from "edgeproof/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const zone = { configs: [], rules: [] };
const text = 'http.host eq ""';
const calls: readonly (readonly [name: string, call: (options: object) => unknown])[] = [
  ["analyze", (options) => analyze(zone, options)],
  ["compareZones", (options) => compareZones(zone, zone, options)],
  ["compareExpressions", (options) => compareExpressions(text, text, options)],
  ["implies", (options) => implies(text, text, options)],
];

describe.each(calls)("%s", (name, call) => {
  test("rejects an option that does not exist, and suggests the nearest one", () => {
    expect(() => call({ precedense: "all" })).toThrow(
      new TypeError(`\`precedense\` is not an option of ${name}; did you mean \`precedence\`?`),
    );
    expect(() => call({ limits: { lenght: 1 } })).toThrow(TypeError);
  });

  test("accepts every option of a profile, and options that are undefined", () => {
    expect(() => call({ ...profiles.provider, precedense: undefined })).not.toThrow();
  });
});

describe("mintToken, lookAlikes and tokenArbitraries", () => {
  test("reject an option that does not exist", async () => {
    const headers: object = { headers: {} };
    await expect(mintToken(await mintKey("ES256"), {}, headers)).rejects.toThrow(
      new TypeError("`headers` is not an option of mintToken; did you mean `header`?"),
    );
    const kind: object = { kind: [] };
    expect(() => [...lookAlikes("paypal.com", kind)]).toThrow(
      new TypeError("`kind` is not an option of lookAlikes; did you mean `kinds`?"),
    );
    const { jwk } = await mintKey("ES256");
    const misspelled: object = { presedence: "first" };
    expect(() => tokenArbitraries(fc, [jwk], misspelled)).toThrow(
      new TypeError("`presedence` is not an option of tokenArbitraries; did you mean `precedence`?"),
    );
    expect(() => tokenArbitraries(fc, [jwk], profiles.provider)).not.toThrow();
  });
});
