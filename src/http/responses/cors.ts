/** Cross-origin requests of pages (CORS, Fetch standard) to the addresses that exist for browsers. */

import { quote } from "../../errors.ts";
import { isOrigin } from "../server/addresses.ts";

/** Every origin, none, or a list of origins. */
export type CorsOption = "*" | false | readonly string[];

const methods = "POST, GET, HEAD, OPTIONS";

/** @throws {TypeError} */
export function assertOrigins(cors: CorsOption): void {
  if (cors === "*" || cors === false) return;
  const invalid = Array.isArray(cors) ? cors.find((origin) => !isOrigin(origin)) : cors;
  if (invalid === undefined) return;
  throw new TypeError(
    `cors has ${quote(invalid)}; it must be "*", false or a list of origins such as https://app.example.com`,
  );
}

/** The response to OPTIONS. */
export function preflight(): Response {
  return new Response(null, { status: 204 });
}

/** Adds the headers with which a browser lets a page see the response. */
export function addCorsHeaders(headers: Headers, request: Request, cors: CorsOption): void {
  if (cors === false) return;
  const origin = request.headers.get("origin");
  if (cors !== "*") headers.append("vary", "Origin");
  if (cors !== "*" && (origin === null || !cors.includes(origin))) return;
  headers.set("access-control-allow-origin", cors === "*" ? "*" : (origin ?? "*"));
  if (request.method !== "OPTIONS") return;
  headers.set("access-control-allow-methods", methods);
  const requested = request.headers.get("access-control-request-headers");
  headers.append("vary", "Access-Control-Request-Headers");
  if (requested !== null) headers.set("access-control-allow-headers", requested);
}
