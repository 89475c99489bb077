/** Answers of transformations and deliveries: what was done, what was not, and errors as plain text (`observed`). */
import { svgHeaders } from "../../engine/images/svg/clean-svg.ts";
import { type Code, catalogue } from "../../errors.ts";
import type { Transformed } from "../../service/images/zones/transformations.ts";
import { wholeResponse } from "./whole-body.ts";

/** Headers of every response with an image. */
export function imageHeaders(bytes: Uint8Array, contentType: string): Record<string, string> {
  return {
    "content-type": contentType,
    "content-length": String(bytes.byteLength),
    "x-content-type-options": "nosniff",
    ...(contentType === "image/svg+xml" && svgHeaders),
  };
}

/** A transformed image, with everything that its headers say. */
export type TransformAnswer = Omit<Transformed, "kind">;

/** The name of the header with the reason of an error, which is also that of a success where the names are the provider's. */
interface ResultHeaders {
  readonly imageErrorHeader: string;
  readonly imageResultHeader: string;
}

/** The response with a transformed image, or 304. */
export function transformResponse(answer: TransformAnswer, wire: ResultHeaders): Response {
  const { image, etag, cacheControl, vary, warnings } = answer;
  const headers = new Headers({
    etag,
    "cache-control": cacheControl,
    [wire.imageResultHeader]: resultOf(answer),
  });
  if (vary.length > 0) headers.set("vary", vary.join(", "));
  addWarnings(headers, warnings);
  if (!image) return new Response(null, { status: 304, headers });
  const { bytes, contentType } = image;
  for (const [name, value] of Object.entries(imageHeaders(bytes, contentType))) headers.set(name, value);
  return wholeResponse(bytes as Uint8Array<ArrayBuffer>, { headers });
}

/** `internal=ok/m q=0 n=12 c=34 v=edgeproof l=5678`: a cache hit or miss, milliseconds, and the bytes of the image. */
function resultOf({ image, isCached, timings }: TransformAnswer): string {
  const { queueMs, fetchMs, renderMs } = timings;
  const parts = { q: queueMs, n: fetchMs, c: renderMs, v: "edgeproof", l: image?.bytes.byteLength ?? 0 };
  const listed = Object.entries(parts).map(([name, value]) => `${name}=${value}`);
  return `internal=ok/${isCached ? "h" : "m"} ${listed.join(" ")}`;
}

/** One header for each warning (RFC 7234, 5.5; the agent `observed`). */
export function addWarnings(headers: Headers, warnings: readonly string[]): void {
  for (const text of warnings) headers.append("warning", `cf-images 299 "${text.replace(/["\\]/g, "'")}"`);
}

/** An error as plain text, with its code in a header. The status is that of the code, unless another one is given. */
export function imageErrorResponse(
  {
    code,
    message,
    status = catalogue[code].status,
  }: {
    readonly code: Code;
    readonly message: string;
    readonly status?: number | undefined;
  },
  { imageErrorHeader }: Pick<ResultHeaders, "imageErrorHeader">,
): Response {
  const headers = {
    [imageErrorHeader]: `err=${code}`,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  };
  return new Response(`ERROR ${code}: ${message}`, { status, headers });
}

/** RFC 9110, 13.1.2: weak comparison with any of the listed tags. */
export function matchesTag(known: string | null, etag: string): boolean {
  if (known === null) return false;
  if (known.trim() === "*") return true;
  return known.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
