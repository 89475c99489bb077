/** The bodies of responses: the success envelope and the failure body (`spec`). */
import type { Diagnostic } from "../../core/diagnostic.ts";
import { type ApiError, type CodedDiagnostic, catalogue, noteCodes, problem } from "../../errors.ts";
import type { CursorInfo, ResultInfo } from "../../service/paging.ts";

/** The Message object of `errors` and `messages`. */
export interface Message {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
  readonly error_chain?: readonly Message[];
}

export interface Envelope {
  readonly result: unknown;
  readonly success: true;
  readonly errors: readonly [];
  readonly messages: readonly Message[];
  readonly result_info?: ResultInfo | CursorInfo;
}

export interface FailureBody {
  readonly errors: readonly Message[];
  readonly messages: readonly [];
  readonly success: false;
  readonly result: null;
}

export function envelope(
  result: unknown,
  notes: readonly Diagnostic[],
  info?: ResultInfo | CursorInfo,
): Envelope {
  const messages = notes.map(toMessage);
  return { result, success: true, errors: [], messages, ...(info && { result_info: info }) };
}

export function failure(problems: readonly CodedDiagnostic[]): FailureBody {
  return { errors: problems.map(withChain), messages: [], success: false, result: null };
}

/** The body of an internal error: the code and a fixed message, nothing else (`spec`). */
export const internalFailure = failure([problem(10002, `${catalogue[10002].name}.`)]);

/** The Message of a diagnostic; a remark without a code of its own is about a value. */
export function toMessage({ code = noteCodes.valueNoted, message, pointer }: Diagnostic): Message {
  return { code, message, ...(pointer !== undefined && { source: { pointer } }) };
}

/** A malformed Authorization header is reported as a chain of two codes (`observed`). */
function withChain(error: CodedDiagnostic): Message {
  const message = toMessage(error);
  if (error.code !== 6003) return message;
  return { ...message, error_chain: [{ code: 6111, message: `${catalogue[6111].name}.` }] };
}

/** The status of an error; that of missing credentials is a setting. */
export function statusOf(error: ApiError, authFailureStatus: number): number {
  return error.status === 401 ? authFailureStatus : error.status;
}
