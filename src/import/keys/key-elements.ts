/** Finds the keys in the documents in which issuers publish them, and the values that are in the place of a key. */
import { isJsonObject, type JsonObject, parseJson } from "../../core/json-value.ts";
import { failure, type Result, success } from "../../core/result.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { describeText } from "../../engine/tokens/input-problem.ts";
import { pointer, quote } from "../../errors.ts";
import { isPem, pemBlocks } from "./pem.ts";

/** A value in the place of a key. */
export interface KeyElement {
  /** RFC 6901 pointer into the document; empty for the document itself. */
  readonly pointer: string;
  /** An object in the form of a JWK, a PEM text, or another value. */
  readonly value: unknown;
  /** The kid that the document gives the key outside of it. */
  readonly kid?: string;
}

/** The elements, or a clause that says what the document is instead. */
export type KeyElements = Result<readonly KeyElement[], string>;

const allowed = "a JWK Set `{ keys: [...] }`, a JWK, an array of JWKs, `{ kid: PEM }` or PEM text";

/** Reads the forms of documents: a JWK Set, one JWK, an array, `{ kid: PEM }`, PEM text, and JSON text of these. */
export function keyElements(document: unknown): KeyElements {
  if (typeof document === "string") return ofText(document);
  if (Array.isArray(document)) return success(listed(document, ""));
  if (!isJsonObject(document)) return failure(`must be ${allowed}; found ${quote(document)}`);
  const { keys } = document;
  if (Array.isArray(keys)) return success(listed(keys, "/keys"));
  if (Object.hasOwn(document, "kty")) return success([{ pointer: "", value: document }]);
  const named = Object.entries(document);
  if (named.some(([, value]) => typeof value === "string" && isPem(value)))
    return success(named.map(([kid, value]) => ({ pointer: pointer(kid), value, kid })));
  return failure(`must be ${allowed}; ${describe(document)}`);
}

function listed(values: readonly unknown[], at: string): KeyElement[] {
  // Array.from visits the holes of a sparse array.
  return Array.from(values, (value, i) => ({ pointer: at + pointer(i), value }));
}

function ofText(text: string): KeyElements {
  if (isPem(text)) {
    const blocks = pemBlocks(text);
    if (blocks.length === 0) return failure("has a PEM block without its end");
    return success(blocks.map((block) => ({ pointer: "", value: block.text })));
  }
  const value = parseJson(text);
  if (value !== undefined && typeof value !== "string") return keyElements(value);
  return failure(`must be ${allowed}; found ${describeText(text)}`);
}

function describe(document: JsonObject): string {
  if (typeof document["jwks_uri"] === "string")
    return `found a discovery document; the keys are at its \`jwks_uri\`: \`${runCommand} world keys --issuer <url>\``;
  const names = Object.keys(document).slice(0, 4).map(quote);
  return `found an object with ${names.length === 0 ? "no members" : `the members ${names.join(", ")}`}`;
}
