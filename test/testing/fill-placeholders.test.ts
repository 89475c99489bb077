/** Counterexamples with real tokens have the verdicts that the analysis predicts. */

import { compareZones } from "edgeproof/analysis";
import { fillPlaceholderTokens, mintKey } from "edgeproof/testing";
import { compileZone, type TokenRule } from "edgeproof/tokens";
import { expect, test } from "vitest";

const key = await mintKey("ES256", "key-1");
const sources = ['http.request.headers["authorization"][0]', 'http.request.cookies["session"][0]'];
const configs = [{ id: "idp", token_sources: sources, credentials: { keys: [key.jwk] } }];
const zoneOf = (expression: string) => {
  const selector = { include: [{ host: ["api.example.com"] }] };
  const rule: TokenRule = { id: "r", action: "block", enabled: true, expression, selector };
  return { configs, rules: [rule] };
};

test("each zone takes the action that the difference reports", async () => {
  const left = zoneOf('is_jwt_valid("idp") and http.request.headers["authorization"][0] wildcard "Bearer *"');
  const right = zoneOf('http.request.method eq "GET"');
  const compared = compareZones(left, right);
  if (compared.result !== "different") throw new Error("they differ");
  const [difference] = compared.differences;
  const request = await fillPlaceholderTokens(difference, [key]);
  expect((await (await compileZone(left)).evaluate(request)).action).toBe(difference.left.action);
  expect((await (await compileZone(right)).evaluate(request)).action).toBe(difference.right.action);
});

test("a missing key is named by its kid and alg", async () => {
  const compared = compareZones(zoneOf('not is_jwt_valid("idp")'), zoneOf('http.host eq "x"'));
  if (compared.result !== "different") throw new Error("they differ");
  const valid = {
    ...compared.differences[0],
    placeholderTokens: [{ value: "t", kid: "key-2", alg: "ES256", configs: [] }],
  };
  await expect(fillPlaceholderTokens(valid, [key])).rejects.toThrow(/kid `key-2` and alg `ES256`/);
});

test("keys with the same kid and alg in two configurations get a token of the right key each", async () => {
  const [first, other] = [await mintKey("ES256", "same"), await mintKey("ES256", "same")];
  const both = [first, other].map(({ jwk }, i) => {
    return {
      id: `c${i}`,
      token_sources: [`http.request.headers["x-${i}"][0]`],
      credentials: { keys: [jwk] },
    };
  });
  const selector = { include: [{ host: ["api.example.com"] }] };
  const zone = (expression: string) => {
    const rule: TokenRule = { id: "r", action: "block", enabled: true, expression, selector };
    return { configs: both, rules: [rule] };
  };
  const [left, right] = [zone('is_jwt_valid("c0") and is_jwt_valid("c1")'), zone('http.host eq ""')];
  const compared = compareZones(left, right);
  if (compared.result !== "different") throw new Error("they differ");
  const request = await fillPlaceholderTokens(compared.differences[0], [other, first]);
  expect((await (await compileZone(left)).evaluate(request)).action).toBe("allow");
  await expect(fillPlaceholderTokens(compared.differences[0], [first, first])).rejects.toThrow(
    /whose public key is/,
  );
});

test("twelve placeholders in one request are filled each with its own token", async () => {
  const keys = await Promise.all(Array.from({ length: 12 }, (_, i) => mintKey("ES256", `k${i}`)));
  const many = keys.map(({ jwk }, i) => {
    return {
      id: `c${i}`,
      token_sources: [`http.request.headers["x-${i}"][0]`],
      credentials: { keys: [jwk] },
    };
  });
  const selector = { include: [{ host: ["api.example.com"] }] };
  const zone = (expression: string) => {
    const rule: TokenRule = { id: "r", action: "block", enabled: true, expression, selector };
    return { configs: many, rules: [rule] };
  };
  const left = zone(many.map(({ id }) => `is_jwt_valid("${id}")`).join(" and "));
  const compared = compareZones(left, zone('http.host eq ""'));
  if (compared.result !== "different") throw new Error("they differ");
  const values = compared.differences[0].placeholderTokens.map(({ value }) => value);
  expect(new Set(values).size).toBe(12);
  for (const value of values) expect(values.filter((other) => other.includes(value))).toEqual([value]);
  const request = await fillPlaceholderTokens(compared.differences[0], keys);
  expect((await (await compileZone(left)).evaluate(request)).action).toBe("allow");
});

test.each([
  "valid-token",
  "placeholder",
  "VALID",
  "ZZZZ",
  "eyJhbGciOiJwbGFj",
  "q",
  "aB",
  "e30",
  ".eyJ",
  "Bearer ey",
])("a comparison with %j does not match the letters of a placeholder", async (text) => {
  const source = sources[0];
  const left = zoneOf(`is_jwt_valid("idp") and not ${source} contains "${text}"`);
  const right = zoneOf('http.host eq ""');
  for (const [a, b] of [
    [left, right],
    [zoneOf(`is_jwt_valid("idp") and ${source} contains "${text}"`), right],
  ] as const) {
    const compared = compareZones(a, b);
    if (compared.result !== "different") continue;
    for (let i = 0; i < 5; i++) {
      const request = await fillPlaceholderTokens(compared.differences[0], [key]);
      expect((await (await compileZone(a)).evaluate(request)).action).toBe(
        compared.differences[0].left.action,
      );
    }
  }
  const decided = compareZones(left, right).result;
  expect(decided === "different" || text.length < 4 || /^[.e]/.test(text)).toBe(true);
});
