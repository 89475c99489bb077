/**
 * Requests to a bucket: signed (AWS Signature Version 4), limited in time and size, and sent again after a failure that
 * may pass. Redirects are not followed. An answer of a bucket other than a success is a DependencyUnavailableError,
 * also rejected credentials: nothing is wrong with the request of the caller, and it works again once they are right.
 */

import { createHash, getFips } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { DependencyUnavailableError } from "../../../../errors.ts";
import { driverReason } from "../../../driver-reasons.ts";
import { readBody, summarizeXml } from "./answer.ts";
import type { BucketLocation } from "./location.ts";

export interface BucketClient {
  /** How messages name the bucket. */
  readonly label: string;
  /** Checks that the bucket exists and that the credentials may list it; without that right, missing objects are rejected too. */
  check(): Promise<void>;
  /** Stores an object. The answer is believed when its ETag is the MD5 hash of the bytes, or a HEAD says the object is there. */
  put(object: string, bytes: Uint8Array): Promise<void>;
  /** The bytes of an object, at most one more than `maxBytes`; undefined when it does not exist. */
  get(object: string, maxBytes: number): Promise<Uint8Array | undefined>;
  /** No error when the object does not exist. */
  remove(object: string): Promise<void>;
}

const maxAttempts = 3;
const firstPauseMs = 100;
/** Maximum length of an answer that is not an object: an error, or a list of one name. */
const maxAnswer = 65_536;

const noBytes = new Uint8Array();

interface BucketRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "DELETE";
  /** Undefined for the bucket itself. */
  readonly object?: string;
  readonly query?: string;
  readonly body?: Uint8Array;
  readonly maxBytes?: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** A failure that may pass by itself within moments. */
class PassingFailure extends Error {}
/** The time of a call is over. */
class TimeOver extends Error {}

export function createBucketClient(location: BucketLocation): BucketClient {
  const { label, prefix, timeoutMs } = location;
  const signingKeys = new Map<string, ArrayBuffer>();
  const newDeadline = () => performance.now() + timeoutMs;

  /** @param deadlineMs end of the call, with all attempts */
  const send = async (request: BucketRequest, deadlineMs = newDeadline()): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(location, signingKeys, request, deadlineMs);
      } catch (error) {
        const isPassing = error instanceof PassingFailure;
        if (!isPassing && !(error instanceof TimeOver)) throw error;
        const pauseMs = firstPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random());
        if (!isPassing || attempt === maxAttempts || performance.now() + pauseMs >= deadlineMs)
          throw new DependencyUnavailableError(`the bucket ${label} is unavailable: ${error.message}`);
        await sleep(pauseMs);
      }
    }
  };

  const successful = async (request: BucketRequest, deadlineMs?: number): Promise<Answer> => {
    const answer = await send(request, deadlineMs);
    if (answer.status < 200 || answer.status > 299) throw rejection(label, request, answer);
    return answer;
  };

  return {
    label,
    check: async () => {
      const query = `list-type=2&max-keys=1${prefix && `&prefix=${encodeURIComponent(`${prefix}/`)}`}`;
      const { body } = await successful({ method: "GET", query });
      if (summarizeXml(body).root !== "ListBucketResult")
        throw new DependencyUnavailableError(
          `the bucket ${label} does not answer like S3: check the endpoint, which must not have the name of the bucket`,
        );
    },
    put: async (object, body) => {
      const deadlineMs = newDeadline();
      const { headers } = await successful({ method: "PUT", object, body }, deadlineMs);
      if (hasTagOf(headers, body)) return;
      // Encrypted objects have other ETags; a proxy that answers for the bucket has none.
      const found = await successful({ method: "HEAD", object }, deadlineMs);
      const length = found.headers.get("content-length");
      if (found.headers.has("etag") && Number(length ?? Number.NaN) === body.byteLength) return;
      throw new DependencyUnavailableError(
        `the bucket ${label} answered PUT with 200, but does not have the object: is it another server that answers?`,
      );
    },
    get: async (object, maxBytes) => {
      const request = { method: "GET", object, maxBytes } as const;
      const answer = await send(request);
      if (answer.status === 200) return answer.body;
      if (isMissing(answer)) return undefined;
      throw rejection(label, request, answer);
    },
    remove: async (object) => {
      const request = { method: "DELETE", object } as const;
      const answer = await send(request);
      if (!isMissing(answer) && (answer.status < 200 || answer.status > 299))
        throw rejection(label, request, answer);
    },
  };
}

/** Whether the ETag of an answer is the MD5 hash of the bytes, as that of objects which are not encrypted is. */
function hasTagOf(headers: Headers, bytes: Uint8Array): boolean {
  // In FIPS mode there is no MD5.
  if (getFips() !== 0) return false;
  const tag = /^(?:W\/)?"?([0-9a-f]{32})"?$/i.exec(headers.get("etag") ?? "")?.[1];
  return tag !== undefined && tag.toLowerCase() === createHash("md5").update(bytes).digest("hex");
}

/** Whether the object does not exist, not the bucket. */
function isMissing({ status, body }: Answer): boolean {
  return status === 404 && (summarizeXml(body).code ?? "NoSuchKey") === "NoSuchKey";
}

/**
 * @throws {PassingFailure} without an answer, and for answers that ask to try again
 * @throws {TimeOver} at the deadline
 */
async function sendOnce(
  { endpoint, bucket, prefix, timeoutMs, ...credentials }: BucketLocation,
  signingKeys: Map<string, ArrayBuffer>,
  { method, object, query, body, maxBytes = maxAnswer }: BucketRequest,
  deadlineMs: number,
): Promise<Answer> {
  const path = [endpoint, bucket, ...(object === undefined ? [] : [...(prefix ? [prefix] : []), object])];
  const { headers, url } = await sign(
    { method, url: `${path.join("/")}${query ? `?${query}` : ""}`, body: body ?? noBytes },
    credentials,
    signingKeys,
  );
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(Math.max(0, Math.ceil(deadlineMs - performance.now()))),
      ...(body && { body: body as Uint8Array<ArrayBuffer> }),
    });
    const { status } = response;
    const answer = {
      status,
      headers: response.headers,
      body: await readBody(response, status === 200 ? maxBytes : maxAnswer),
    };
    if (status < 500 && status !== 429) return answer;
    throw new PassingFailure(`it answered with ${statusOf(answer)}`);
  } catch (error) {
    if (error instanceof PassingFailure) throw error;
    if ((error as Error).name === "TimeoutError") throw new TimeOver(`no answer within ${timeoutMs} ms`);
    throw new PassingFailure(reasonOf(error));
  }
}

async function sign(
  { method, url, body }: { readonly method: string; readonly url: string; readonly body: Uint8Array },
  {
    accessKeyId,
    secretAccessKey,
    sessionToken,
    region,
  }: Pick<BucketLocation, "accessKeyId" | "secretAccessKey" | "sessionToken" | "region">,
  cache: Map<string, ArrayBuffer>,
): Promise<{ readonly url: string; readonly headers: Headers }> {
  const headers = { "x-amz-content-sha256": createHash("sha256").update(body).digest("hex") };
  const signer = new AwsV4Signer({
    method,
    url,
    headers,
    service: "s3",
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    cache,
  });
  const signed = await signer.sign();
  // Not a part of the signature, since proxies change it: the length of a compressed body is not that of the object.
  signed.headers.set("accept-encoding", "identity");
  return { url: signed.url.href, headers: signed.headers };
}

/** The advice, by the code of an error. */
const hints: Readonly<Record<string, string>> = {
  AccessDenied: "the credentials need the rights to list the bucket, and to get, put and delete objects",
  AuthorizationHeaderMalformed: "check the region",
  ExpiredToken: "the session token is expired",
  InvalidAccessKeyId: "check the credentials",
  InvalidToken: "check the session token",
  NoSuchBucket: "create the bucket, or check its name",
  RequestTimeTooSkewed: "check the clock of this machine",
  SignatureDoesNotMatch: "check the credentials",
};

function rejection(label: string, { method }: BucketRequest, answer: Answer): DependencyUnavailableError {
  const { code = "" } = summarizeXml(answer.body);
  const isRedirect = answer.status >= 300 && answer.status < 400;
  const hint = isRedirect ? "redirects are not followed: check the endpoint and the region" : hints[code];
  return new DependencyUnavailableError(
    `the bucket ${label} answered ${method} with ${statusOf(answer)}${hint === undefined ? "" : `: ${hint}`}`,
  );
}

function statusOf({ status, body }: Answer): string {
  const { code } = summarizeXml(body);
  return code === undefined ? String(status) : `${status} ${code}`;
}

/** Why there is no answer; `fetch` wraps the reason, and several addresses have one each. */
function reasonOf(error: unknown): string {
  const cause = (error as Error).cause ?? error;
  const reasons = cause instanceof AggregateError ? cause.errors : [cause];
  return reasons.map((reason) => driverReason(reason) ?? (reason as Error).message).join(", ");
}
