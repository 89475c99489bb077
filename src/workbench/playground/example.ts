/** The example of the playground: a small API with rules of both kinds, then keys that are made in the page, and a request for each kind of verdict. */
import { mintKey, mintToken } from "../../testing/tokens/mint.ts";
import type { PlaygroundExample } from "../playground-messages.ts";

const host = "api.example.com";
const staff = "6c1f8b5e-9a40-4f7e-8d3b-0e5b2f6f0a11";
const lifeSeconds = 3_600;

/** Makes keys, rules and signed requests. Each call has keys of its own; private keys are forgotten. */
export async function createExample(): Promise<PlaygroundExample> {
  const [key, stranger] = await Promise.all([mintKey("ES256", "staff-1"), mintKey("ES256", "staff-1")]);
  const now = Math.floor(Date.now() / 1000);
  const claims = { sub: "ada", iat: now, exp: now + lifeSeconds };
  const [valid, forged, expired] = await Promise.all([
    mintToken(key, claims),
    mintToken(stranger, claims),
    mintToken(key, { ...claims, iat: now - lifeSeconds, exp: now - 120 }),
  ]);
  const ask = (title: string, method: string, path: string, token?: string, ip?: string) => {
    const headers = token === undefined ? [] : [["authorization", `Bearer ${token}`] as const];
    return { title, method, url: `https://${host}${path}`, headers, ...(ip !== undefined && { ip }) };
  };
  return {
    text: `${JSON.stringify(rulesFor(key.jwk), null, 2)}\n`,
    samples: [
      ask("A valid token", "GET", "/v1/orders/17", valid),
      ask("No token", "POST", "/v1/orders"),
      ask("A token that has expired", "POST", "/v1/orders", expired),
      ask("A token that another key has signed", "POST", "/v1/orders", forged),
      ask("A preflight", "OPTIONS", "/v1/orders"),
      ask("Refunds, from outside of the office", "POST", "/v1/orders/17/refund", valid, "198.51.100.7"),
      ask("A report without a token", "GET", "/v1/reports/2026-11.csv"),
    ],
  };
}

function rulesFor(key: object) {
  const selector = { include: [{ host: [host] }] };
  return {
    rulesets: [
      {
        kind: "zone",
        phase: "http_request_firewall_custom",
        rules: [
          {
            description: "Refunds: from the office only",
            action: "block",
            expression: 'ends_with(http.request.uri.path, "/refund") and not ip.src in {192.0.2.0/24}',
          },
        ],
      },
    ],
    rules: [
      {
        id: "reports",
        title: "Reports: count those without a token",
        action: "log",
        expression: `not http.request.uri.path matches "^/v1/reports/[0-9-]+[.]csv$" or is_jwt_valid("${staff}")`,
        selector,
      },
      {
        id: "orders",
        title: "Orders: staff, and preflights as they are",
        action: "block",
        expression: `http.request.method eq "OPTIONS" or not starts_with(http.request.uri.path, "/v1/orders") or is_jwt_valid("${staff}")`,
        selector,
      },
    ],
    configs: [
      {
        id: staff,
        title: "Staff",
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [key] },
      },
    ],
  };
}
