/** What holds for every request. */
import { mintFaultyToken, mintKey, mintToken, tokenArbitraries, tokenFaultNames } from "edgeproof/testing";
import { compileZone, implies } from "edgeproof/tokens";
import fc from "fast-check";
import { expect, test } from "vitest";
import { accountExpression, adminExpression, zoneOf } from "./zone.ts";

const users = await mintKey("ES256", "users-key");
const support = await mintKey("RS256", "support-key");
const input = zoneOf(users.jwk, support.jwk);
const zone = await compileZone(input);

const good = [await mintToken(users), await mintToken(support)];
const bad = await Promise.all(tokenFaultNames.map((fault) => mintFaultyToken(users, fault)));
const { request } = tokenArbitraries(fc, [users.jwk, support.jwk]);

test("whoever gets through to an account has a valid token", async () => {
  await fc.assert(
    fc.asyncProperty(request(input, [...good, ...bad]), async (sent) => {
      const verdict = await zone.evaluate(sent);
      const isAccount = verdict.operation?.operation_id.endsWith("-account");
      if (!isAccount || verdict.action === "block") return;
      expect(verdict.trace.tokens.some(({ reason }) => reason === "valid")).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("a faulty token is never better than none", async () => {
  await fc.assert(
    fc.asyncProperty(request(input, bad), async ({ headers: _, ...plain }) => {
      const without = await zone.evaluate(plain);
      for (const token of bad) {
        const verdict = await zone.evaluate({ ...plain, headers: { authorization: `Bearer ${token}` } });
        expect(verdict.action).toBe(without.action);
      }
    }),
    { numRuns: 20 },
  );
});

test("who may change an account may see it: for all requests there are, not only random ones", () => {
  expect(implies(adminExpression, accountExpression, { configs: input.configs })).toEqual({
    result: "implied",
  });
  expect(implies(accountExpression, adminExpression, { configs: input.configs }).result).toBe("not_implied");
});
