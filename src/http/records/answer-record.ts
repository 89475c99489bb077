/** The record of an answer of the interface for `onAnswer`: metadata, no address, header or body. */
import { formatTimestamp } from "../../service/time.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";

/** An answer of the interface, without everything that a client sent or received. */
export interface AnswerRecord {
  /** The time of the request, RFC 3339. */
  readonly time: string;
  /** Method of the request. */
  readonly method: string;
  /** Id of the endpoint, such as `tokens.rules.list`; null when the request matches none. */
  readonly endpoint: string | null;
  /** Path of the endpoint with the names of its parameters, such as `/zones/{zone_id}/token_validation/rules`. */
  readonly path: string | null;
  /** HTTP status. */
  readonly status: number;
  /** The codes of the errors in the answer; empty for a success. */
  readonly codes: readonly number[];
  /** Time to the answer by the clock of the edge, in milliseconds; its body may end later. */
  readonly ms: number;
  /** Trace id of the answer. */
  readonly traceId: string;
}

/** Codes of failures, by their response. */
const codesOf = new WeakMap<Response, readonly number[]>();

/** Remembers the codes of a failure's body. */
export function rememberCodes(response: Response, body: unknown): Response {
  const { errors } = body as { readonly errors?: readonly { readonly code: number }[] };
  if (Array.isArray(errors))
    codesOf.set(
      response,
      errors.map(({ code }) => code),
    );
  return response;
}

/** Gives a response without body the codes of the one that it replaces. */
export function copyCodes(from: Response, to: Response): Response {
  const codes = codesOf.get(from);
  if (codes) codesOf.set(to, codes);
  return to;
}

/** Creates the record of an answer. */
export function answerRecord(
  { method }: Request,
  endpoint: Pick<Endpoint, "id" | "path"> | undefined,
  response: Response,
  { startMs, endMs, traceId }: { readonly startMs: number; readonly endMs: number; readonly traceId: string },
): AnswerRecord {
  return Object.freeze({
    time: formatTimestamp(startMs),
    method,
    endpoint: endpoint?.id ?? null,
    path: endpoint?.path ?? null,
    status: response.status,
    codes: Object.freeze([...(codesOf.get(response) ?? [])]),
    ms: Math.max(0, endMs - startMs),
    traceId,
  });
}
