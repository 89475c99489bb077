/** Reads a whole text of recorded requests. */

import { utf8Bytes } from "#bytes";
import { aString, aUint8Array, either, requireArgument } from "../../core/arguments.ts";
import { inputProblem } from "../../engine/tokens/input-problem.ts";
import { InvalidInputError } from "../../errors.ts";
import type { TrafficFormat } from "./format.ts";
import { createTrafficReader, type TrafficReaderOptions } from "./reader.ts";
import type { RecordedRequest, RejectedRecord } from "./recorded-request.ts";

/** The requests of a text. */
export interface RecordedRequests {
  /** The format, detected unless it was given. */
  readonly format: TrafficFormat;
  /** In the order of the text. Their headers may have live tokens: do not print them. */
  readonly requests: readonly RecordedRequest[];
  /** Parts of the text that are not requests, with the reason. */
  readonly rejected: readonly RejectedRecord[];
  /** Number of requests that never reached the edge, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

/**
 * Reads the recorded requests of a text: an HTTP archive (HAR 1.2), Logpush records, an access log (nginx, ALB, CloudFront),
 * a Postman collection or curl commands. Commands and scripts are never run, and files that they name are never read.
 *
 * @example
 * ```ts
 * const { requests } = requestsFrom("curl -X POST https://api.example.com/v1/orders -H 'x-team: shop'");
 * requests[0]?.method; // => "POST"
 * requests[0]?.headers.at(-1); // => ["x-team", "shop"]
 * ```
 * @throws InvalidInputError when the format is not known, or an archive is not a JSON object with `log.entries`
 */
export function requestsFrom(
  text: string | Uint8Array,
  options: TrafficReaderOptions = {},
): RecordedRequests {
  requireArgument("text", text, either(aString, aUint8Array));
  const requests: RecordedRequest[] = [];
  const rejected: RejectedRecord[] = [];
  const skipped = new Map<string, number>();
  const reader = createTrafficReader(
    {
      request: (request) => requests.push(request),
      rejected: (record) => rejected.push(record),
      skipped: (reason) => skipped.set(reason, (skipped.get(reason) ?? 0) + 1),
    },
    options,
  );
  reader.push(typeof text === "string" ? utf8Bytes(text) : text);
  const end = reader.end();
  if (!end.ok)
    throw new InvalidInputError("The requests cannot be read", [inputProblem("", end.problems[0])]);
  return { format: end.value, requests, rejected, skipped: Object.fromEntries(skipped) };
}
