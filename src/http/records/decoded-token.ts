/** Decodes tokens for a record: header and payload, without verification and without the signature. */
import { type JsonObject, parseJsonObject } from "../../core/json-value.ts";

/** A token of a request, decoded without verifying it. */
export interface RecordedToken {
  /** Id of the configuration that found it. */
  readonly configId: string;
  /** The decoded header; absent when it is not a JSON object. */
  readonly header?: JsonObject;
  /** The decoded payload; absent when it is not a JSON object. */
  readonly claims?: JsonObject;
}

/** Longer tokens are not decoded; in characters. */
const maxTokenLength = 65_536;

/** Parts of a compact JWS. */
const parts = 3;

/** The header and the payload of each token that has them. */
export function decodedTokens(
  found: readonly { readonly configId: string; readonly token: string }[],
): RecordedToken[] {
  return found.map(({ configId, token }) => {
    const segments = token.length <= maxTokenLength ? token.split(".") : [];
    if (segments.length !== parts) return { configId };
    const [header, claims] = segments.map(decodeObject);
    return { configId, ...(header && { header }), ...(claims && { claims }) };
  });
}

/** The JSON object that a segment encodes; undefined when it does not encode one. */
function decodeObject(segment: string): JsonObject | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(segment)) return undefined;
  return parseJsonObject(Buffer.from(segment, "base64url").toString());
}
