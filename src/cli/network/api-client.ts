/** GET requests to the management interface: one origin, one token, retries within limits. */

import { setTimeout as delay } from "node:timers/promises";
import { isJsonObject, type JsonObject, parseJson } from "../../core/json-value.ts";
import { trimEndOf } from "../../core/text/trim.ts";
import { quote } from "../../errors.ts";
import { addressGuard } from "../../http/fetch/address-guard.ts";
import { errorReason } from "../../http/fetch/error-reason.ts";
import { getOnce, readBody, readUrl } from "../../http/fetch/get.ts";
import { isLoopbackAddress } from "../../http/fetch/public-address.ts";
import { UsageError } from "../command.ts";

/** Options of {@link createApiClient}. */
export interface ApiClientOptions {
  /** Address of the interface, such as `https://api.example.com/client/v4`. */
  readonly baseUrl: string;
  /** The API token. It is sent to the origin of `baseUrl` only, and never printed. */
  readonly token: string;
  readonly signal: AbortSignal;
  /** Longest time to wait before a retry, in milliseconds. */
  readonly maxWaitMs: number;
  /** Called before each wait. */
  readonly onWait: (line: string) => void;
}

/** The body of a success, or the reason for its absence. */
export type ApiAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** Sends GET requests to one interface. */
export interface ApiClient {
  /**
   * The response to a path below the base address, with its query.
   *
   * @throws {UsageError} when there is none, or it is neither a JSON success nor an error of the request
   */
  get(path: string): Promise<ApiAnswer>;
}

/** Limits of one request (`chosen`). */
const max = { bytes: 33_554_432, requestMs: 30_000, attempts: 4 };

/** Statuses after which the same request can succeed. */
const temporary: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** Characters of a bearer token (`b64token` of RFC 6750). */
const bearer = /^[A-Za-z0-9\-._~+/]+=*$/;

/** Length from which a token is removed from responses: shorter ones are no secrets, and occur by chance. */
const minSecretLength = 12;

/** @throws {UsageError} for an invalid address, and for a token that no header can hold */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const { token } = options;
  if (!bearer.test(token))
    throw new UsageError(
      "the API token has characters that a bearer token cannot have; its value is not shown",
    );
  const base = readBase(options.baseUrl);
  const isPlain = base.protocol === "http:";
  const guard = addressGuard(
    isPlain
      ? { allow: isLoopbackAddress, where: "a loopback address, which plain http needs" }
      : { allow: () => true },
  );
  const request = {
    guard,
    headers: { accept: "application/json", authorization: `Bearer ${token}` },
    mustVerify: true,
  };
  return {
    get: (path) => {
      const url = new URL(`${trimEndOf(base.href, "/")}${path}`);
      return withRetries(options, path, async () => {
        const timeout = AbortSignal.timeout(max.requestMs);
        const signal = AbortSignal.any([timeout, options.signal]);
        try {
          return await getRaw(url, { ...request, signal }, token);
        } catch (error) {
          if (timeout.aborted) throw new Error(`it took longer than ${max.requestMs} ms`);
          throw error;
        }
      });
    },
  };
}

function readBase(given: string): URL {
  try {
    const url = readUrl(given, ["https", "http"]);
    if (url.search === "" && url.hash === "") return url;
    throw new Error("the URL must not have a query or a fragment");
  } catch (error) {
    throw new UsageError(`--base-url: ${(error as Error).message}`);
  }
}

interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
}

async function getRaw(url: URL, options: Parameters<typeof getOnce>[1], token: string): Promise<RawAnswer> {
  const response = await getOnce(url, options);
  const { statusCode: status = 0, headers } = response;
  const body = await readBody(
    response,
    max.bytes,
    (bytes) => new Error(`the response is larger than ${bytes} bytes`),
  );
  const text = withoutToken(new TextDecoder().decode(body), token);
  return { status, text, retryAfter: headers["retry-after"], location: headers.location };
}

/** A server that repeats the token must not bring it into a file or a message. */
function withoutToken(text: string, token: string): string {
  return token.length < minSecretLength ? text : text.replaceAll(token, "***");
}

async function withRetries(
  options: ApiClientOptions,
  path: string,
  send: () => Promise<RawAnswer>,
): Promise<ApiAnswer> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(options, path, send);
    if ("answer" in outcome) return outcome.answer;
    if (attempt >= max.attempts) throw new UsageError(`${outcome.failure} (${attempt} attempts)`);
    await wait(options, outcome, attempt);
  }
}

interface LaterTry {
  readonly failure: string;
  readonly retryAfter?: string | undefined;
}

async function attemptOnce(
  { signal }: ApiClientOptions,
  path: string,
  send: () => Promise<RawAnswer>,
): Promise<{ readonly answer: ApiAnswer } | LaterTry> {
  let raw: RawAnswer;
  try {
    raw = await send();
  } catch (error) {
    if (signal.aborted) throw stopped();
    return { failure: `GET ${path}: ${errorReason(error)}` };
  }
  const { status, text, retryAfter, location } = raw;
  if (temporary.has(status))
    return { failure: `GET ${path}: the server answered with status ${status}`, retryAfter };
  if (status >= 300 && status < 400)
    throw new UsageError(`GET ${path}: it redirects to ${quote(location)}, where the token is not sent`);
  return { answer: readAnswer(path, status, text) };
}

/** The error of a command that the user stopped. */
export function stopped(): UsageError {
  return new UsageError("stopped; nothing was written");
}

async function wait(
  { signal, maxWaitMs, onWait }: ApiClientOptions,
  { failure, retryAfter }: LaterTry,
  attempt: number,
): Promise<void> {
  const ms = waitMs(retryAfter, attempt);
  if (ms > maxWaitMs)
    throw new UsageError(
      `${failure}; it asks to wait ${Math.ceil(ms / 1000)} s, longer than --max-wait (${maxWaitMs / 1000} s)`,
    );
  if (ms > 0) onWait(`${failure}; trying again in ${Math.ceil(ms / 1000)} s`);
  await delay(ms, undefined, { signal }).catch(() => {
    throw stopped();
  });
}

/** `retry-after` is a number of seconds (RFC 9110, section 10.2.3); the form with a date would need the server's clock. */
function waitMs(retryAfter: string | undefined, attempt: number): number {
  if (retryAfter !== undefined && /^\d{1,9}$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  return 2 ** (attempt - 1) * 500;
}

function readAnswer(path: string, status: number, text: string): ApiAnswer {
  const body = parseJson(text);
  const isSuccess =
    status === 200 && (Array.isArray(body) || (isJsonObject(body) && body["success"] === true));
  if (isSuccess) return { ok: true, body };
  if (!isJsonObject(body) || !Array.isArray(body["errors"])) {
    const found = body === undefined ? "no JSON" : quote(body);
    throw new UsageError(
      `GET ${path}: expected the envelope of the interface; found ${found} with status ${status}`,
    );
  }
  return { ok: false, status, message: describeErrors(body["errors"]) };
}

function describeErrors(errors: readonly unknown[]): string {
  const parts = errors.filter(isJsonObject).slice(0, 3).map(describeError);
  return parts.join("; ") || "no reason was given";
}

function describeError({ code, message }: JsonObject): string {
  const text = typeof message === "string" ? message.slice(0, 300) : "";
  return typeof code === "number" ? `${code} ${text}` : text;
}
