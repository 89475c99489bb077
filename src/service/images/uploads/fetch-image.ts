/** Uploads by URL: fetched only by the option `createEdge({ fetchImage })`. */

import { runCommand } from "../../../core/text/run-command.ts";
import { maskText } from "../../../core/text/secrets.ts";
import { ApiError, problem, quote } from "../../../errors.ts";
import type { FetchImage } from "../../context.ts";
import { readFetched } from "./fetched-image.ts";

/** @throws {ApiError} 5413, 5454 */
export async function fetchUpload(
  fetchImage: FetchImage | undefined,
  url: string,
  maxBytes: number,
): Promise<Uint8Array> {
  if (!fetchImage) {
    throw failed(
      `Uploads by \`url\` are off; turn them on with the option \`fetchImage\` of \`createEdge\`, or with \`--fetch-urls\` of \`${runCommand} serve\``,
    );
  }
  try {
    return await readFetched(await fetchImage(url, { maxBytes }), maxBytes);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // The reason may repeat the URL.
    const reason = maskText(reasonOf(error));
    throw failed(`The image at ${quote(maskText(url))} could not be fetched: ${reason}`);
  }
}

/** A reason without a full stop: errors of a connection to several addresses have a code and no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.message || (error as NodeJS.ErrnoException).code || error.name).replace(/\.$/, "");
}

function failed(message: string): ApiError {
  return new ApiError(problem(5454, `${message}.`, "/url"));
}
