/** The keys of an issuer by discovery (OpenID Connect Discovery 1.0, section 4). */

import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { trimEndOf } from "../../core/text/trim.ts";
import { algorithmsOf } from "../../engine/tokens/jwt/keys/algorithms.ts";
import type { RsaAlgorithm } from "../../engine/tokens/model.ts";
import { quote } from "../../errors.ts";
import { type DocumentFetchOptions, fetchDocument } from "../../http/fetch/fetch-document.ts";
import { UsageError } from "../command.ts";

/** The documents that an issuer publishes. */
export interface DiscoveredKeys {
  /** The issuer, as its document names it. */
  readonly issuer: string;
  readonly jwksUri: string;
  /** The key set: JSON that is not checked yet. */
  readonly jwks: unknown;
  /** The only RSA algorithm of its tokens; absent when the document names none or several. */
  readonly onlyRsaAlgorithm?: RsaAlgorithm;
}

const path = "/.well-known/openid-configuration";

/** @throws {UsageError} when a document cannot be fetched, or is not that of the issuer */
export async function discoverKeys(given: string, options: DocumentFetchOptions): Promise<DiscoveredKeys> {
  const wanted = withoutSlash(readIssuer(given));
  const at = wanted + path;
  const document = await fetchJson(at, options);
  const { issuer, jwks_uri: jwksUri } = isJsonObject(document) ? document : {};
  if (typeof issuer !== "string" || withoutSlash(issuer) !== wanted)
    throw new UsageError(`${at}: \`issuer\` must be ${quote(wanted)}; found ${quote(issuer)}${hint(issuer)}`);
  if (typeof jwksUri !== "string")
    throw new UsageError(`${at}: \`jwks_uri\` must be an https URL; found ${quote(jwksUri)}`);
  const jwks = await fetchJson(jwksUri, options);
  const only = onlyRsaAlgorithm(document as JsonObject);
  return { issuer, jwksUri, jwks, ...(only && { onlyRsaAlgorithm: only }) };
}

/** An issuer is an https URL without query and fragment (section 3 of the specification). */
function readIssuer(given: string): string {
  const isIssuer = /^https:\/\/[^/?#@]+(\/[^?#]*)?$/i.test(given) && URL.canParse(given);
  if (isIssuer) return given;
  throw new UsageError(
    `--issuer must be an https URL without credentials, query and fragment; found ${quote(given)}`,
  );
}

/** Issuers differ in their last slash, which users do not see. */
function withoutSlash(issuer: string): string {
  return trimEndOf(issuer, "/");
}

function hint(issuer: unknown): string {
  if (typeof issuer !== "string" || !issuer.includes("{")) return "";
  return ", a template for several tenants: use the issuer of your tenant, as the claim `iss` of its tokens names it";
}

function onlyRsaAlgorithm(document: JsonObject): RsaAlgorithm | undefined {
  const named = document["id_token_signing_alg_values_supported"];
  const rsa = algorithmsOf("RSA").filter((name) => Array.isArray(named) && named.includes(name));
  return rsa.length === 1 ? (rsa[0] as RsaAlgorithm) : undefined;
}

async function fetchJson(url: string, options: DocumentFetchOptions): Promise<unknown> {
  const text = await fetchDocument(url, options).catch((error: Error) => {
    if (options.signal.aborted) throw new UsageError("stopped; nothing was read");
    throw new UsageError(`cannot fetch ${url}: ${error.message}${remedy(error.message)}`);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${url}: the document is not JSON`);
  }
}

function remedy(reason: string): string {
  if (reason.includes("trusted authority"))
    return "; --ca names a file with the certificate of your own authority";
  return reason.includes("public internet") && !reason.includes("private network")
    ? "; --fetch-private allows it"
    : "";
}
