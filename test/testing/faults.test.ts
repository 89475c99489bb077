/** Every fault gets the reason that it promises, from both verifiers, and a token without it is valid. */

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
const keys = [await mintKey("ES256"), await mintKey("ES384"), await mintKey("RS256"), await mintKey("PS512")];

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

  test("no fault at all", async () => {
    expect(node.check(await mintToken(key, { sub: "ada" }), nowMs).reason).toBe("valid");
  });
});

test("the faults have every reason that a token can have", () => {
  const seen = new Set(Object.values(tokenFaults).map(({ reason }) => reason));
  expect(reasons.filter((reason) => reason !== "missing" && reason !== "valid" && !seen.has(reason))).toEqual(
    [],
  );
});

test("wrong calls say what is right", async () => {
  const key = keys[0]!;
  await expect(mintFaultyToken(key, "odd" as TokenFault)).rejects.toThrow(
    /no fault `odd`; faults are expired/,
  );
  await expect(mintFaultyToken(key, "toString" as TokenFault)).rejects.toThrow(TypeError);
  await expect(mintFaultyToken(key, "padded", { claims: { exp: 1 } })).rejects.toThrow(/claims have no exp/);
});
