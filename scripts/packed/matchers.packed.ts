/** The matchers and their types, declared as docs/testing.md says. */
import {
  mintFaultyToken,
  mintKey,
  mintToken,
  type VerdictMatchers,
  verdictMatchers,
} from "edgeproof/testing/tokens";
import { compileZone } from "edgeproof/tokens";
import { expect, test } from "vitest";

declare global {
  namespace Chai {
    interface Assertion extends VerdictMatchers<void> {}
  }
}

expect.extend(verdictMatchers);

test("the matchers compare verdicts", async () => {
  const key = await mintKey("ES256");
  const zone = await compileZone({
    configs: [
      {
        id: "idp",
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [key.jwk] },
      },
    ],
    rules: [
      {
        id: "guard",
        action: "block",
        enabled: true,
        expression: 'is_jwt_valid("idp")',
        selector: { include: [{ host: ["api.example.com"] }] },
      },
    ],
  });
  const verdictFor = (token: string) =>
    zone.evaluate({
      method: "GET",
      url: "https://api.example.com/",
      headers: { authorization: `Bearer ${token}` },
    });
  expect(await verdictFor(await mintToken(key))).toAllow();
  expect(await verdictFor(await mintFaultyToken(key, "expired"))).toBlock({
    rule: "guard",
    reason: "expired",
  });
  expect(await verdictFor(await mintToken(key))).not.toBlock();
});
