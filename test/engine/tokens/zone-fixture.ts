/** A small zone for tests: four configurations that share one key, each with its own header. */

import type { SimulatedRequest, TokenConfig, TokenRule } from "../../../src/engine/tokens/model.ts";
import { mintKey, mintToken } from "../../../src/testing/tokens/mint.ts";
import { configIds } from "./arbitraries.ts";

export const nowMs = Date.UTC(2025, 0, 1);

const key = await mintKey("ES256", "k1");
const nowSeconds = nowMs / 1000;

export const tokens = {
  valid: await mintToken(key, { sub: "u1", exp: nowSeconds + 60 }),
  expired: await mintToken(key, { sub: "u1", exp: nowSeconds - 60 }),
  unknownKey: await mintToken(key, {}, { header: { kid: "other" } }),
  malformed: "nonsense",
  /** Valid, with JSON that custom rules do not read. */
  nested: await mintToken(key, {
    sub: "u1",
    exp: nowSeconds + 60,
    deep: JSON.parse(`${"[".repeat(64)}${"]".repeat(64)}`) as unknown,
  }),
};

export const configs: readonly TokenConfig[] = configIds.map((id) => ({
  id,
  token_sources: [`http.request.headers["x-${id}"][0]`, `http.request.cookies["${id}"][0]`],
  credentials: { keys: [key.jwk] },
}));

export const host = "api.example.com";

/** A rule that covers the host, with a few members of one's own. */
export function rule(id: string, expression: string, more: Partial<TokenRule> = {}): TokenRule {
  return {
    id,
    action: "block",
    enabled: true,
    expression,
    selector: { include: [{ host: [host] }] },
    ...more,
  };
}

/** A request to a path, with a token in the header of each configuration named. */
export function request(
  path: string,
  given: Readonly<Partial<Record<(typeof configIds)[number], string>>> = {},
  method = "GET",
): SimulatedRequest {
  const headers = Object.entries(given).map(([id, token]) => [`X-${id}`, `Bearer ${token}`] as const);
  return { method, url: `https://${host}${path}`, headers };
}
