/** Decodes the token of a request for people, without a check of its signature. */

import { base64Bytes, utf8Text } from "#bytes";
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import type { SimulatedRequest } from "../../engine/tokens/model.ts";
import { findToken } from "../../engine/tokens/zone/find-token.ts";
import { readRequest } from "../../engine/tokens/zone/request.ts";
import { parseTokenSource } from "../../engine/tokens/zone/token-source.ts";

/** The parts of a token that can be decoded. */
export interface DecodedToken {
  readonly header?: JsonObject;
  readonly claims?: JsonObject;
}

/** Decodes the token that the sources find. The signature is never part of the result. */
export function decodeToken(request: SimulatedRequest, sources: readonly string[]): DecodedToken {
  const parsed = sources
    .map((source) => parseTokenSource(source))
    .flatMap((source) => (source.ok ? [source.value] : []));
  const token = findToken(readRequest(request), parsed)?.token;
  const [header, claims] = (token?.split(".") ?? []).map(decodePart);
  return { ...(header && { header }), ...(claims && { claims }) };
}

function decodePart(part: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(utf8Text(base64Bytes(part)));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
