/** The tokens section of the demo: requests with valid, invalid and missing tokens. Keys and tokens are minted here. */
import { createEdge, type Edge } from "../../edge.ts";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import type { Verdict } from "../../engine/tokens/verdict/verdict.ts";
import { mintToken } from "../../testing/tokens/mint.ts";
import { reasonOf, ruleOf } from "../output/verdict-line.ts";
import { type DemoKeys, demoWorld, demoZone, mintDemoKeys } from "./api-world.ts";
import type { DemoTable } from "./demo-table.ts";

/** A request of the demo. */
export interface DemoRequest extends SimulatedRequest {
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
}

const origin = "https://api.shop.example";

/** The life of a token, as identity providers often have it. */
export const lifeSeconds = 3_600;

/** The title of the request whose verdict is explained below the table. */
const explained = "staff, with a partner's token too";

export async function tokensSection(): Promise<readonly DemoTable[]> {
  const keys = await mintDemoKeys();
  const samples = await demoRequests(keys);
  const edge = createEdge({ world: demoWorld(keys) });
  const notes: string[] = [];
  const rows = await evaluateSamples(edge, samples, (title, verdict) => {
    if (title === explained) notes.push(`The explanation of "${explained}":`, verdict.explain());
  });
  return [
    {
      area: "tokens",
      title: "Token validation: two identity providers, eight operations, five rules",
      header: verdictHeader,
      rows,
      notes,
    },
  ];
}

/** The columns of verdicts. */
export const verdictHeader: readonly string[] = ["verdict", "request", "rule", "reason"];

/** A row for each request of the demo. */
export async function evaluateSamples(
  edge: Edge,
  samples: readonly DemoRequest[],
  onVerdict: (title: string, verdict: Verdict) => void,
): Promise<readonly (readonly string[])[]> {
  const rows: string[][] = [];
  for (const request of samples) {
    const verdict = await edge.tokens.evaluate(demoZone, request);
    rows.push([verdict.action, request.title, ruleOf(verdict), reasonOf(verdict)]);
    onVerdict(request.title, verdict);
  }
  return rows;
}

/** Requests with valid tokens in each source, and with the common faults of tokens. */
export async function demoRequests(keys: DemoKeys): Promise<readonly DemoRequest[]> {
  const now = Math.floor(Date.now() / 1000);
  const claims = claimsUntil(now + lifeSeconds - 300);
  const valid = await mintToken(keys.staff, claims);
  const rotated = await mintToken(keys.staffNext, claims);
  const partner = await mintToken(keys.partner, claims);
  const expired = await mintToken(keys.staff, claimsUntil(now - 120));
  const wrongKid = await mintToken(keys.staff, claims, { header: { kid: "staff-2025-9" } });
  const forged = await mintToken(keys.stranger, claims);
  return [
    sample("a staff token, valid", "GET", "/v1/orders/17", { authorization: `Bearer ${valid}` }),
    sample("signed by the next key", "GET", "/v1/orders/17", { authorization: `Bearer ${rotated}` }),
    sample("the token in a cookie", "GET", "/v1/orders/17", { cookie: `theme=dark; session=${valid}` }),
    sample("no token", "POST", "/v1/orders", {}),
    sample("expired two minutes ago", "POST", "/v1/orders", { authorization: `Bearer ${expired}` }),
    sample("payload changed after signing", "POST", "/v1/orders", {
      authorization: `Bearer ${tamper(valid)}`,
    }),
    sample("`alg: none`", "POST", "/v1/orders", { authorization: `Bearer ${unsigned(claims)}` }),
    sample("a kid that is in no key set", "POST", "/v1/orders", { authorization: `Bearer ${wrongKid}` }),
    sample("an unknown key with a known kid", "POST", "/v1/orders", { authorization: `Bearer ${forged}` }),
    sample("a partner's token for the feed", "GET", "/v1/partners/acme/feed", { "x-partner-token": partner }),
    sample(explained, "GET", "/v1/admin/reports/1", {
      authorization: `Bearer ${valid}`,
      "x-partner-token": partner,
    }),
    sample("anonymous reader of products", "GET", "/v1/products", {}),
    sample("preflight", "OPTIONS", "/v1/orders", {}),
    sample("login, which no rule covers", "POST", "/v1/login", {}),
    sample("a path that is not an operation", "GET", "/v2/secret", {}),
  ];
}

/** The claims of a token that expires at a time, in seconds since 1970. */
export function claimsUntil(exp: number) {
  return { sub: "ada", iat: exp - lifeSeconds, exp };
}

/** A request to the API of the shop. */
export function sample(
  title: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): DemoRequest {
  return { title, method, url: `${origin}${path}`, headers };
}

/** Changes the subject and keeps the signature. */
function tamper(token: string): string {
  const [header, payload, signature] = token.split(".") as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  return [header, encode({ ...claims, sub: "eve" }), signature].join(".");
}

function unsigned(claims: object): string {
  return `${encode({ alg: "none", kid: "staff-2026-1" })}.${encode(claims)}.`;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
