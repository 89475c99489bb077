/** Carries out the fault of a request: another answer, a late one, one that is cut off, or none. */
import { catalogue, problem } from "../../errors.ts";
import { wait } from "../../service/faults/wait.ts";
import type { FaultEffects } from "../../service/faults.ts";
import { copyCodes, rememberCodes } from "../records/answer-record.ts";
import { failure, internalFailure } from "../responses/envelope.ts";

/** The answer to a request was cut off before its first byte, as a lost connection shows itself to a client of `fetch`. */
export class LostAnswer extends TypeError {
  /** Always `LostAnswer`. */
  override readonly name = "LostAnswer";

  constructor() {
    super("fetch failed: an injected fault cut the answer off");
  }
}

/** The part of a body that is sent, by the response that is cut off. */
const sentParts = new WeakMap<Response, Uint8Array>();

/** The bytes of a body after which a server ends the connection; undefined for a response that is not cut off. */
export function sentPart(response: Response): Uint8Array | undefined {
  return sentParts.get(response);
}

/**
 * The answer in place of that of the service; undefined when the service has to process the request.
 *
 * @throws the reason of the request's signal when the client leaves before
 */
export async function answerInstead(fault: FaultEffects, request: Request): Promise<Response | undefined> {
  if (fault.after) return undefined;
  await wait(fault.delayMs ?? 0, request.signal);
  request.signal.throwIfAborted();
  if (fault.status !== undefined) return failureAnswer(fault);
  return fault.cut === 0 ? new Response(null) : undefined;
}

/**
 * The answer that the client gets.
 *
 * @param answer that of the service, or of `answerInstead`
 * @throws {LostAnswer} when it gets none
 */
export async function faultyAnswer(
  fault: FaultEffects,
  request: Request,
  answer: Response,
): Promise<Response> {
  let sent = answer;
  if (fault.after) {
    await wait(fault.delayMs ?? 0, request.signal);
    if (fault.status !== undefined) sent = replaceAnswer(answer, failureAnswer(fault), request);
  }
  return fault.cut === undefined ? sent : cutAnswer(sent, fault.cut);
}

/** Seconds of `Retry-After` of an answer with status 429. `chosen` */
const defaultRetryAfter = 1;

/** The body and the headers that the service sends (`spec`; those of 429 `observed`). */
function failureAnswer({ status = 503, retryAfter }: FaultEffects): Response {
  const isLimit = status === 429;
  const body = isLimit ? failure([problem(971, `${catalogue[971].name}.`)]) : internalFailure;
  const seconds = retryAfter ?? (isLimit ? defaultRetryAfter : undefined);
  const headers = {
    "content-type": "application/json",
    ...(seconds !== undefined && { "retry-after": String(seconds) }),
    ...(isLimit && { ratelimit: `"default";r=0;t=${seconds}`, "ratelimit-policy": rateLimitPolicy }),
  };
  return rememberCodes(new Response(JSON.stringify(body), { status, headers }), body);
}

/** The limit that the service documents: 1,200 requests in five minutes. */
const rateLimitPolicy = '"default";q=1200;w=300';

/** Another answer to a request that was processed, with the same trace id. */
function replaceAnswer(answer: Response, by: Response, { method }: Request): Response {
  for (const name of ["x-trace-id", "cf-ray"]) {
    const id = answer.headers.get(name);
    if (id !== null) by.headers.set(name, id);
  }
  if (method !== "HEAD") return by;
  return copyCodes(by, new Response(null, { status: by.status, headers: by.headers }));
}

/** The answer whose body ends with an error after some bytes; the last byte is never sent. */
async function cutAnswer(answer: Response, bytes: number): Promise<Response> {
  const body = bytes === 0 ? new Uint8Array() : new Uint8Array(await answer.arrayBuffer());
  const part = body.subarray(0, Math.min(bytes, body.length - 1));
  if (part.length === 0) throw new LostAnswer();
  let isSent = false;
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (isSent) controller.error(new TypeError("terminated: an injected fault cut the answer off"));
      else controller.enqueue(part);
      isSent = true;
    },
  });
  const { status, headers } = answer;
  headers.set("content-length", String(body.length));
  const cut = copyCodes(answer, new Response(stream, { status, headers }));
  sentParts.set(cut, part);
  return cut;
}
