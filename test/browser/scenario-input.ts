/** The input of the scenarios, made on Node.js: signatures and certificates are new in each run. */
import { createHmac, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { type MintedKey, mintKey, mintToken } from "../../src/testing/tokens/mint.ts";
import { certificateAuthority } from "../support/certificates.ts";

/** The input of every platform, as JSON. */
export interface ScenarioInput {
  readonly keys: readonly MintedKey["jwk"][];
  /** Tokens for a header; an empty one is missing. */
  readonly tokens: readonly string[];
  /** Keys of issuers. */
  readonly documents: readonly unknown[];
  readonly nowMs: number;
  /** A query with a valid HMAC. */
  readonly timed: { readonly key: string; readonly query: string };
  readonly plan: string;
  readonly openapi: string;
  readonly traffic: string;
}

/** Makes it. */
export async function scenarioInput(): Promise<ScenarioInput> {
  const key = await mintKey("ES256", "k1");
  const shared = await mintKey("HS512", "k1");
  const nowMs = Date.UTC(2026, 0, 1);
  const now = nowMs / 1000;
  const valid = await mintToken(key, { sub: "ädä 😀", exp: now + 60 });
  const signed = createHmac("sha256", "secret").update(`verify${now}`).digest("base64");
  const fixture = (name: string) => readFileSync(`fixtures/${name}`, "utf8");
  return {
    keys: [key.jwk, shared.jwk],
    tokens: [
      "",
      valid,
      `${valid.slice(0, -4)}AAAA`,
      await mintToken(key, { exp: now - 60 }),
      await mintToken(await mintKey("ES256", "k1"), {}),
      await mintToken(shared, { sub: "ada" }),
      `${(await mintToken(shared, {})).slice(0, -4)}AAAA`,
      await mintToken(await mintKey("HS512", "k1"), {}),
      "é.é.é",
      "a.b",
    ],
    documents: [
      { k: pem("rsa"), l: pem("ec"), m: certificateAuthority().cert },
      pem("ed25519"),
      JSON.parse(fixture("own-configuration/jwks-keycloak.json")),
      {
        keys: [
          { kty: "EC", kid: "c", x5c: [certificateAuthority().cert.replaceAll(/-----[^-]*-----|\s/g, "")] },
        ],
      },
    ],
    nowMs,
    timed: { key: "secret", query: `verify=${now}-${signed}` },
    plan: fixture("own-configuration/plan-v5-modules.json"),
    openapi: fixture("openapi/shop.yaml"),
    traffic: fixture("traffic/http_requests.ndjson"),
  };
}

function pem(type: "rsa" | "ec" | "ed25519"): string {
  const { publicKey } =
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : type === "ec"
        ? generateKeyPairSync("ec", { namedCurve: "P-384" })
        : generateKeyPairSync("ed25519");
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}
