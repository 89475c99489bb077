/** Fetches the source of a transformation: from the test, or by the guarded fetch. Errors `observed`. */
import { runCommand } from "../../../core/text/run-command.ts";
import { maskText } from "../../../core/text/secrets.ts";
import { resolveSource } from "../../../engine/images/request/transform-address.ts";
import { ApiError, type Code, problem, quote } from "../../../errors.ts";
import type { FetchedImage, ServiceContext } from "../../context.ts";
import { reasonOf } from "../uploads/fetch-image.ts";
import { isResponse, readFetched } from "../uploads/fetched-image.ts";

/** A source, with what its origin says about it. */
export interface FetchedSource {
  readonly cacheControl?: string | undefined;
  /** Its entity tag as a part of another: without quotation marks, and of visible characters. */
  readonly etag?: string | undefined;
  /** The bytes, or why they cannot be read. Called once at most; without an entity tag they were read before. */
  readonly read: () => Promise<Uint8Array | Untransformed>;
  /** Ends the transfer, in place of reading. */
  readonly discard: () => Promise<void>;
}

/** The reason why nothing was transformed; the status is that of the code, unless there is one. */
export interface Untransformed {
  readonly code: Code;
  readonly message: string;
  readonly status?: number;
}

/** The value of `Via` of a request for a source, by which loops are found (`observed`). */
export const viaName = "image-resizing";

/** Maximum number of redirects that responses of a test's own origins name, as those of the guarded fetch (chosen). */
const maxRedirects = 3;

/** Headers that any origin may have; the others are for the first one only. */
const openHeaders = { accept: "image/*", via: viaName };

/** @throws {ApiError} 9407 and others of `guardedFetchImage` */
export async function fetchSource(
  context: ServiceContext,
  start: URL,
  given: Readonly<Record<string, string>>,
): Promise<FetchedSource | Untransformed> {
  const { imageSourceBytes: maxBytes } = context.limits;
  let url = start;
  let headers: Readonly<Record<string, string>> = { ...given, ...openHeaders };
  try {
    for (let left = maxRedirects; ; left--) {
      const answered = await ask(context, url, headers);
      if (answered === undefined) return unanswered(context, url);
      const location = isResponse(answered) ? redirectOf(answered) : undefined;
      if (location === undefined) return await openSource(answered, url, maxBytes);
      await cancel((answered as Response).body);
      if (left === 0) {
        const message = `The origin must redirect at most ${maxRedirects} times; it redirects more often.`;
        return { code: 9421, message };
      }
      const next = URL.canParse(location, url.href)
        ? resolveSource(new URL(location, url).href, "")
        : undefined;
      if (!next?.ok)
        return {
          code: 9420,
          message: `The origin redirects to ${quote(maskText(location))}, which cannot be fetched.`,
        };
      url = next.value;
      // Once another origin has answered, it decides where the redirects lead.
      if (url.origin !== start.origin) headers = openHeaders;
    }
  } catch (error) {
    return explain(error, url, maxBytes);
  }
}

async function ask(
  { fetchImage, imageSource, limits }: ServiceContext,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<FetchedImage | undefined> {
  const answered = await imageSource?.(new Request(url, { headers }));
  return answered ?? fetchImage?.(url.href, { maxBytes: limits.imageSourceBytes, headers });
}

/** The address that a response redirects to; undefined when it is not a redirect. */
function redirectOf({
  status,
  headers,
}: {
  readonly status: number;
  readonly headers?: Headers;
}): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? (headers?.get("location") ?? undefined) : undefined;
}

function unanswered({ imageSource }: ServiceContext, url: URL): Untransformed {
  if (imageSource)
    return {
      code: 9404,
      message: `\`imageSource\` has no answer for ${quote(url.href)}, and there is no \`fetchImage\`.`,
    };
  const how = `with the option \`fetchImage\` or \`imageSource\` of \`createEdge\`, or with \`--fetch-urls\` of \`${runCommand} serve\``;
  return { code: 9407, message: `Sources are not fetched; turn it on ${how}.` };
}

/** The bytes of a source with an entity tag may never be asked for: those of another one are read at once. */
async function openSource(
  fetched: unknown,
  url: URL,
  maxBytes: number,
): Promise<FetchedSource | Untransformed> {
  if (!isResponse(fetched)) return opened(await readBytes(fetched, maxBytes));
  const wrong = statusError(fetched.status);
  if (wrong) {
    await cancel(fetched.body);
    return wrong;
  }
  const header = (name: string) => fetched.headers?.get(name) ?? undefined;
  const etag = header("etag")
    ?.replace(/^W\//, "")
    .replace(/[^\x21\x23-\x7e]/g, "");
  const facts = { cacheControl: header("cache-control"), ...(etag && { etag }) };
  if (!etag || fetched.bodyUsed) return opened(await readBytes(fetched, maxBytes), facts);
  return {
    ...facts,
    read: () => readBytes(fetched, maxBytes).catch((error: unknown) => explain(error, url, maxBytes)),
    discard: () => cancel(fetched.body),
  };
}

function opened(
  bytes: Uint8Array | Untransformed,
  facts: Pick<FetchedSource, "cacheControl" | "etag"> = {},
): FetchedSource | Untransformed {
  if ("code" in bytes) return bytes;
  return { ...facts, read: async () => bytes, discard: async () => undefined };
}

async function readBytes(fetched: unknown, maxBytes: number): Promise<Uint8Array | Untransformed> {
  try {
    const bytes = await readFetched(fetched, maxBytes);
    return bytes.byteLength > maxBytes && !isResponse(fetched) ? tooLarge(maxBytes) : bytes;
  } catch (error) {
    if (error instanceof ApiError || !isResponse(fetched)) throw error;
    return { code: 9402, message: "The transfer of the source was interrupted.", status: 502 };
  }
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
  const shown = quote(maskText(url.href));
  const reason = maskText(reasonOf(error));
  return problem(connectionCode(error), `The source ${shown} could not be fetched: ${reason}.`);
}

/** The code of an error of a connection, or of its cause, as that of `fetch`. */
function connectionCode(error: unknown): Code {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } };
  switch (code ?? cause?.code) {
    case "ECONNREFUSED":
      return 9505;
    case "ECONNRESET":
    case "EPIPE":
    case "UND_ERR_SOCKET":
      return 9510;
    default:
      return 9407;
  }
}

function tooLarge(maxBytes: number): Untransformed {
  return { code: 9402, message: `The source must be at most ${maxBytes} bytes; it is larger.` };
}
