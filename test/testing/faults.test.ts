/** Both verifiers reject a token with a fault for the documented reason, and accept one without. */

import {
  mintFaultyToken,
  mintKey,
  mintToken,
  type TokenFault,
  tokenFaultNames,
  tokenFaults,
} from "edgeproof/testing";
import { createVerifier, reasons } from "edgeproof/tokens";
import { describe, expect, test } from "vitest";

const nowMs = Date.UTC(2026, 0, 1);
const keys = [
  await mintKey("ES256"),
  await mintKey("ES384"),
  await mintKey("RS256"),
  await mintKey("PS512"),
  await mintKey("HS256"),
  await mintKey("HS512"),
];

describe.each(keys.map((key) => [key.jwk.alg, key] as const))("%s", (_alg, key) => {
  const node = createVerifier([key.jwk]);
  const jose = createVerifier([key.jwk], { verifier: "jose" });

  test.each(tokenFaultNames)("%s", async (fault) => {
    for (const claims of [{}, { sub: "ada" }, { sub: "adam" }, { sub: "adams" }]) {
      const token = await mintFaultyToken(key, fault, { nowMs, claims });
      const { reason } = tokenFaults[fault];
      expect(node.check(token, nowMs)).toMatchObject({ reason });
      expect(await jose.check(token, nowMs)).toMatchObject({ reason });
    }
  });

  test("a token without a fault is valid", async () => {
    expect(node.check(await mintToken(key, { sub: "ada" }), nowMs).reason).toBe("valid");
  });
});

test("the faults cover every reason for which a token is rejected", () => {
  const seen = new Set(Object.values(tokenFaults).map(({ reason }) => reason));
  expect(reasons.filter((reason) => reason !== "missing" && reason !== "valid" && !seen.has(reason))).toEqual(
    [],
  );
});

test("unknown faults and claims that a fault sets are a TypeError", async () => {
  const [key] = keys;
  if (key === undefined) throw new Error("there is a key");
  await expect(mintFaultyToken(key, "odd" as TokenFault)).rejects.toThrow(
    /no fault `odd`; the faults are expired/,
  );
  await expect(mintFaultyToken(key, "toString" as TokenFault)).rejects.toThrow(TypeError);
  await expect(mintFaultyToken(key, "padded", { claims: { exp: 1 } })).rejects.toThrow(
    /`claims` must not have `exp`/,
  );
});
