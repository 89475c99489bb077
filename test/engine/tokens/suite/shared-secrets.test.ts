/** Suites, mutants and counterexamples of zones with shared secrets: they are decided by the secret, and have none. */
import { compareExpressions, compareZones, suiteFor } from "edgeproof/analysis";
import { fillPlaceholderTokens, mintKey, mintSuite } from "edgeproof/testing";
import { compileZone, createVerifier } from "edgeproof/tokens";
import { expect, test } from "vitest";
import type { JwtKey } from "../../../../src/engine/tokens/model.ts";
import { algorithmChanges } from "../../../../src/engine/tokens/suite/mutants/config-mutants.ts";
import { readZone } from "../../../../src/engine/tokens/zone/zone-input.ts";
import { leaksIn, markedKey } from "../../../support/marked-secret.ts";

const key = markedKey("HS256", "shared");
const source = 'http.request.headers["authorization"][0]';
const zoneOf = (...keys: readonly JwtKey[]) => {
  const config = { id: "users", token_sources: [source], credentials: { keys } };
  const selector = { include: [{ host: ["api.example.com"] }] };
  const rule = {
    id: "r1",
    action: "block",
    enabled: true,
    expression: 'is_jwt_valid("users")',
    selector,
  } as const;
  return { configs: [config], rules: [rule] };
};

test("the suite of a zone names keys by id, and its tokens are minted with another secret of the same algorithm", async () => {
  const zone = zoneOf(key);
  const suite = suiteFor(zone);
  expect(leaksIn(JSON.stringify(suite))).toEqual([]);
  const minted = await mintSuite(zone, suite.requests);
  expect(leaksIn(JSON.stringify(minted))).toEqual([]);
  expect(minted.zone.configs[0]?.credentials.keys).toMatchObject([
    { kty: "oct", alg: "HS256", kid: "shared" },
  ]);
  const compiled = await compileZone(minted.zone, { sharedSecrets: "accept" });
  const actions = minted.requests.map(({ request }) => compiled.evaluateSync(request).action);
  expect(new Set(actions)).toEqual(new Set(["allow", "block"]));
  expect(actions).toEqual(suite.requests.map(({ expected }) => expected.action));
  await expect(compileZone(minted.zone)).rejects.toThrow(/profile `provider` accepts/);
});

test("the algorithms of a secret are mutants as far as it is long enough for their hash", () => {
  const changesOf = (secret: JwtKey) => {
    const read = readZone(zoneOf(secret));
    const [config] = read.ok ? read.value.configs : [];
    if (!read.ok || config === undefined) throw new Error("the zone is valid");
    return algorithmChanges(config, read.value).map(({ change }) => change.keys[0]?.alg);
  };
  const short = (bytes: number) => ({ ...key, k: Buffer.alloc(bytes, 1).toString("base64url") });
  expect(changesOf(key)).toEqual(["HS384", "HS512"]);
  expect(changesOf(short(63))).toEqual(["HS384"]);
  expect(changesOf(short(47))).toEqual([]);
});

test("zones with different secrets of one kid and alg differ, and the counterexample has neither", async () => {
  const other = await mintKey("HS256", "shared");
  const compared = compareZones(zoneOf(key), zoneOf(other.jwk));
  expect(compared.result).toBe("different");
  const text = JSON.stringify(compared);
  expect(leaksIn(text)).toEqual([]);
  expect(text).not.toContain((other.jwk as typeof key).k);
  expect(compareZones(zoneOf(key), zoneOf({ ...key })).result).toBe("equivalent");
});

test("a placeholder is replaced by a token that the secret signs", async () => {
  const minted = await mintKey("HS384", "shared");
  const { configs } = zoneOf(minted.jwk);
  const compared = compareExpressions('is_jwt_valid("users")', 'http.host eq ""', { configs });
  if (compared.result !== "different") throw new Error("they differ");
  expect(JSON.stringify(compared)).not.toContain((minted.jwk as typeof key).k);
  const request = await fillPlaceholderTokens(compared.counterexample, [minted]);
  const token = request.headers[0]?.[1].replace("Bearer ", "") ?? "";
  expect(createVerifier([minted.jwk]).check(token, 0).reason).toBe("valid");
});
