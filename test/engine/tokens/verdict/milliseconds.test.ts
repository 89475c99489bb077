/** Times of tokens in milliseconds: the token is valid for thousands of years, which the explanation says. */
import { mintKey, mintToken } from "edgeproof/testing";
import { compileZone } from "edgeproof/tokens";
import { expect, test } from "vitest";

const nowMs = Date.UTC(2026, 0, 1);
const key = await mintKey("ES256");
const zone = await compileZone(
  {
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
  },
  { clock: () => nowMs },
);

async function traced(claims: object) {
  const token = await mintToken(key, { ...claims });
  const headers = { authorization: `Bearer ${token}` };
  return zone.evaluateSync({ method: "GET", url: "https://api.example.com/", headers });
}

test("exp and iat in milliseconds are a note of a valid token, also in the explanation", async () => {
  const verdict = await traced({ exp: nowMs, iat: nowMs });
  const note =
    "`exp` must be in seconds; 1767225600000 looks like milliseconds, 2026-01-01T00:00:00Z; `iat` must be in seconds; 1767225600000 looks like milliseconds, 2026-01-01T00:00:00Z";
  expect(verdict).toMatchObject({ action: "allow", trace: { tokens: [{ reason: "valid", note }] } });
  expect(verdict.explain()).toContain(note.slice(0, 90));
});

test("times in seconds have no note", async () => {
  const { trace } = await traced({ exp: nowMs / 1000 + 60, iat: 0, nbf: 1 });
  expect(trace.tokens[0]).not.toHaveProperty("note");
});
