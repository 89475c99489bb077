/** Keys and tokens of the playground: each algorithm signs tokens that the rules accept, and bad input is a sentence. */
import { expect, test } from "vitest";
import { algorithmNames } from "../../../src/engine/tokens/jwt/keys/algorithms.ts";
import type { EvaluationView, ZoneView } from "../../../src/workbench/messages.ts";
import type { PlaygroundKey, SignedToken } from "../../../src/workbench/playground-messages.ts";
import { askEngines } from "../../support/playground.ts";

const request = { method: "GET", url: "https://api.example.com/", headers: [["accept", "*/*"]] };
const form = { sub: "ada", iss: "", aud: "", exp: "3600", nbf: "", others: "" };
const zone = "playground";
const empty = '{\n  // No rules yet.\n  "rules": []\n}\n';

const create = async (alg: string, kid = "mine") =>
  (await askEngines<PlaygroundKey>(empty, "key/create", { alg, kid })).result;
/** The specification has no shared secrets. */
const provider = `{\n  // No rules yet.\n  "profile": "provider",\n  "zones": [{ "id": "${zone}", "name": "example.com", "token_validation": { "rules": [] } }]\n}\n`;
const add = async (text: string, key: string, config = "") =>
  askEngines<ZoneView>(text, "key/add", { zone, key, config });
const sign = async (text: string, key: string, claims: object = {}) =>
  (await askEngines<SignedToken>(text, "token/sign", { zone, key, config: "", request, ...form, ...claims }))
    .result;

test.each(algorithmNames)("a token that a key for %s has signed is valid in the rules", async (alg) => {
  const { jwk } = await create(alg);
  const { text, result } = await add(alg.startsWith("HS") ? provider : empty, jwk);
  expect(text).toContain("// No rules yet.");
  const { d } = JSON.parse(jwk);
  if (d !== undefined) expect(text).not.toContain(d);
  const [config] = result.configs;
  const selector = { hosts: ["api.example.com"], excluded: [] };
  const rule = { zone, expression: `is_jwt_valid("${config!.id}")`, selector };
  const { text: rules } = await askEngines(text, "rule/save", rule);
  const signed = await sign(rules, jwk);
  expect(signed.request.headers).toEqual([...request.headers, ["authorization", `Bearer ${signed.token}`]]);
  const evaluate = async (file: object) =>
    (await askEngines<EvaluationView>(rules, "evaluate", { zone, request: file })).result.verdict;
  expect(await evaluate(signed.request)).toMatchObject({ action: "allow" });
  expect(await evaluate(request)).toMatchObject({ action: "block" });
  const expired = await sign(rules, jwk, { exp: "-61" });
  expect((await evaluate(expired.request)).tokens).toMatchObject([{ reason: "expired" }]);
});

test("a key takes the place of the one with the same id and algorithm, and others stay", async () => {
  const [first, second, other] = [await create("ES256"), await create("ES256"), await create("ES384")];
  const { text, result } = await add(empty, first.jwk);
  const id = result.configs[0]!.id;
  const { text: both } = await add(text, other.jwk, id);
  const { text: replaced } = await add(both, second.jwk, id);
  const keys = JSON.parse(replaced.replace(/\/\/.*/, "")).configs[0].credentials.keys;
  expect(keys.map(({ alg }: { alg: string }) => alg)).toEqual(["ES256", "ES384"]);
  expect(keys[0].x).toBe(JSON.parse(second.jwk).x);
});

test("claims of the form are those of the token; an empty field is none", async () => {
  const { jwk } = await create("ES256");
  const claimsOf = async (claims: object) => {
    const { token } = await sign(empty, jwk, claims);
    return JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());
  };
  const given = { iss: "me", aud: "a b", nbf: "-5", others: '{"role":"admin","sub":"not this"}' };
  const { exp, nbf, ...others } = await claimsOf(given);
  expect(others).toEqual({ role: "admin", sub: "ada", iss: "me", aud: ["a", "b"] });
  expect(exp - nbf).toBe(3605);
  expect(await claimsOf({ sub: "", exp: "", aud: "one" })).toEqual({ aud: "one" });
});

test("bad input is rejected with a sentence", async () => {
  await expect(create("EdDSA")).rejects.toThrow(/`alg` must be RS256.* or HS512; found `EdDSA`/);
  await expect(create("ES256", " ")).rejects.toThrow(/needs an id/);
  const { jwk } = await create("ES256");
  const { d: _, ...isPublic } = JSON.parse(jwk);
  for (const text of ["", "null", "{}", JSON.stringify(isPublic)])
    await expect(sign(empty, text)).rejects.toThrow(/must be a JSON Web Key with `alg`, `kid` and `d`/);
  const secret = JSON.parse((await create("HS256")).jwk);
  for (const text of [
    { ...secret, k: undefined },
    { ...secret, d: secret.k, k: 1 },
  ].map((value) => JSON.stringify(value)))
    await expect(sign(empty, text)).rejects.toThrow(/must be a JSON Web Key with `alg`, `kid` and `d`/);
  for (const change of [{ alg: "ES256" }, { alg: "RS256" }])
    await expect(sign(empty, JSON.stringify({ ...secret, ...change }))).rejects.toThrow(
      /`mine` is not a key for/,
    );
  const damaged = JSON.stringify({ ...JSON.parse(jwk), d: "AA", crv: "P-384" });
  await expect(sign(empty, damaged)).rejects.toThrow(/`mine` is not a key for ES256/);
  await expect(sign(empty, jwk, { exp: "soon" })).rejects.toThrow(/whole number of seconds.*`soon`/);
  await expect(sign(empty, jwk, { others: "[]" })).rejects.toThrow(/must be a JSON object/);
});
