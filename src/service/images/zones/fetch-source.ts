/** Fetches the source of a transformation: from the test, or by the guarded fetch. Errors `observed`. */
import { ApiError, type Code, problem, quote } from "../../../errors.ts";
import type { ServiceContext } from "../../context.ts";
import { isResponse, readFetched } from "../uploads/fetched-image.ts";
import { maskCredentials } from "../uploads/mask-credentials.ts";

/** A source, with what its origin says about it. */
export interface FetchedSource {
  readonly bytes: Uint8Array;
  readonly cacheControl?: string | undefined;
  readonly etag?: string | undefined;
}

/** The reason why nothing was transformed; the status is that of the code, unless there is one. */
export interface Untransformed {
  readonly code: Code;
  readonly message: string;
  readonly status?: number;
}

/** The value of `Via` of a request for a source, by which loops are found (`observed`). */
export const viaName = "image-resizing";

/** @throws {ApiError} 9407 and others of `guardedFetchImage` */
export async function fetchSource(
  { fetchImage, imageSource, limits: { imageSourceBytes: maxBytes } }: ServiceContext,
  url: URL,
  given: Readonly<Record<string, string>>,
): Promise<FetchedSource | Untransformed> {
  const headers = { ...given, accept: "image/*", via: viaName };
  try {
    const answered = await imageSource?.(new Request(url, { headers }));
    if (answered !== undefined) return await readSource(answered, maxBytes);
    if (!fetchImage) {
      const how =
        "with the option `fetchImage` or `imageSource` of `createEdge`, or with `--fetch-urls` of `edgeproof serve`";
      return { code: 9407, message: `Sources are not fetched; turn it on ${how}.` };
    }
    return await readSource(await fetchImage(url.href, { maxBytes, headers }), maxBytes);
  } catch (error) {
    return explain(error, url, maxBytes);
  }
}

async function readSource(fetched: unknown, maxBytes: number): Promise<FetchedSource | Untransformed> {
  if (!isResponse(fetched)) {
    const bytes = await readFetched(fetched, maxBytes);
    return bytes.byteLength > maxBytes ? tooLarge(maxBytes) : { bytes };
  }
  const wrong = statusError(fetched.status);
  if (wrong) {
    await cancel(fetched.body);
    return wrong;
  }
  const { headers } = fetched as unknown as Partial<Response>;
  const header = (name: string) => headers?.get(name) ?? undefined;
  const bytes = await readFetched(fetched, maxBytes).catch((error: unknown) => {
    if (error instanceof ApiError) throw error;
    return undefined;
  });
  if (!bytes) return { code: 9402, message: "The transfer of the source was interrupted.", status: 502 };
  return {
    bytes,
    cacheControl: header("cache-control"),
    etag: header("etag"),
  };
}

function statusError(status: number): Untransformed | undefined {
  if (status >= 200 && status < 300) return undefined;
  if (status === 404) return { code: 9404, message: "The origin has no such image." };
  if (status >= 500) return { code: 9509, message: `The origin answered with status ${status}.` };
  if (status >= 400) return { code: 9408, message: `The origin answered with status ${status}.`, status };
  return { code: 9420, message: `The origin answered with status ${status} and no valid address.` };
}

async function cancel(body: unknown): Promise<void> {
  if (body instanceof ReadableStream) await body.cancel().catch(() => undefined);
}

function explain(error: unknown, url: URL, maxBytes: number): Untransformed {
  if (error instanceof ApiError) {
    const { code, message } = error;
    return code === 5413 ? tooLarge(maxBytes) : { code, message };
  }
  const reason =
    error instanceof Error
      ? error.message || ((error as NodeJS.ErrnoException).code ?? error.name)
      : String(error);
  const shown = `${quote(maskCredentials(url.href))} could not be fetched: ${maskCredentials(reason).replace(/\.$/, "")}`;
  return problem(9407, `The source ${shown}.`);
}

function tooLarge(maxBytes: number): Untransformed {
  return { code: 9402, message: `The source must be at most ${maxBytes} bytes; it is larger.` };
}
