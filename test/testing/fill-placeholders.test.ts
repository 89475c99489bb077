/** Counterexamples with real tokens have the verdicts that the analysis predicts. */
import { fillPlaceholderTokens, mintKey } from "edgeproof/testing";
import { compareZones, compileZone, type TokenRule } from "edgeproof/tokens";
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
