/** Properties of the rules that hold for every request. */
import { implies } from "edgeproof/analysis";
import { mintFaultyToken, mintKey, mintToken, tokenArbitraries, tokenFaultNames } from "edgeproof/testing";
import { compileZone } from "edgeproof/tokens";
import fc from "fast-check";
import { expect, test } from "vitest";
import { accountExpression, adminExpression, zoneOf } from "./zone.ts";

const users = await mintKey("ES256", "users-key");
const support = await mintKey("RS256", "support-key");
const input = zoneOf(users.jwk, support.jwk);
const zone = await compileZone(input);

const valid = [await mintToken(users), await mintToken(support)];
const faulty = await Promise.all(tokenFaultNames.map((fault) => mintFaultyToken(users, fault)));
const { request } = tokenArbitraries(fc, [users.jwk, support.jwk]);

test("a request that reaches an account has a valid token", async () => {
  await fc.assert(
    fc.asyncProperty(request(input, [...valid, ...faulty]), async (sent) => {
      const verdict = await zone.evaluate(sent);
      const isAccount = verdict.operation?.operation_id.endsWith("-account");
      if (!isAccount || verdict.action === "block") return;
      expect(verdict.trace.tokens.some(({ reason }) => reason === "valid")).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("a token with a fault has the same verdict as no token", async () => {
  await fc.assert(
    fc.asyncProperty(request(input, faulty), async ({ headers: _, ...plain }) => {
      const without = await zone.evaluate(plain);
      for (const token of faulty) {
        const verdict = await zone.evaluate({ ...plain, headers: { authorization: `Bearer ${token}` } });
        expect(verdict.action).toBe(without.action);
      }
    }),
    { numRuns: 20 },
  );
});

test("every request that may change an account may also read it", () => {
  expect(implies(adminExpression, accountExpression, { configs: input.configs })).toEqual({
    result: "implied",
  });
  expect(implies(accountExpression, adminExpression, { configs: input.configs }).result).toBe("not_implied");
});
