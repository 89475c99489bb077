/** The requests to begin with: their tokens have the times that an identity provider gives. */
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { demoAccount } from "../../src/cli/demo/account.ts";
import { mintDemoKeys } from "../../src/cli/demo/api-world.ts";
import { demoRequestsForCustomRules, demoWorldWithCustomRules } from "../../src/cli/demo/custom-rules.ts";
import { createEdge } from "../../src/edge.ts";

test("every token of a sample was issued in the past, an hour before it expires", async () => {
  const samples = await demoRequestsForCustomRules(await mintDemoKeys());
  const now = Date.now() / 1000;
  const tokens = samples.flatMap(
    ({ headers }) =>
      Object.values(headers)
        .join(" ")
        .match(/ey[\w.-]+/g) ?? [],
  );
  expect(tokens.length).toBeGreaterThan(10);
  for (const token of tokens) {
    const { iat = 0, exp = 0 } = decodeJwt(token);
    expect([iat < now, exp - iat]).toEqual([true, 3_600]);
  }
});

test("the samples for custom rules are decided by them, and the others as in the demo", async () => {
  const keys = await mintDemoKeys();
  const edge = createEdge({ world: demoWorldWithCustomRules(keys, demoAccount()) });
  const actions = new Map<string, string>();
  for (const sample of await demoRequestsForCustomRules(keys)) {
    const { action, custom } = await edge.tokens.evaluate("shop", sample);
    actions.set(sample.title, `${action} ${custom?.action}`);
  }
  expect(actions.get("an order by a trainee")).toBe("block block");
  expect(actions.get("reports, from an address that is not known")).toBe("undecided undecided");
  expect(actions.get("staff, with a partner's token too")).toBe("block allow");
  expect(actions.get("a staff token, valid")).toBe("allow allow");
});
