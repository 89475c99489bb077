/** The picture in a response: its bytes, when the response succeeded and its content type is theirs. */
import { messageOf } from "../../core/message-of.ts";
import { quote } from "../../core/text/quote.ts";
import { contentTypes, sniffImage } from "../../engine/images/sniff.ts";

/** The length of an error's text that is shown, in characters (chosen). */
const shownErrorCharacters = 300;

/** Whether a value is a response, also one of another implementation of `fetch`. */
export function isResponse(value: object): value is Response {
  return "arrayBuffer" in value && "status" in value && typeof value.status === "number";
}

/** Reads the body once. Returns the bytes, or why there is no picture to compare. */
export async function readPictureResponse(response: Response): Promise<Uint8Array | string> {
  if (response.bodyUsed) {
    return "the body of the response was read already; pass the response first, or `response.clone()`";
  }
  const bytes = await readBody(response);
  if (typeof bytes === "string") return bytes;
  const { status, headers } = response;
  if (status < 200 || status > 299) return `the response has the status ${status}${errorText(bytes)}`;
  const declared = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  const sniffed = sniffImage(bytes);
  const found = sniffed.kind === "image" ? contentTypes[sniffed.type] : undefined;
  if (declared === undefined || declared === found) return bytes;
  if (found !== undefined) {
    return `the response has the content type ${quote(declared)}; its bytes are ${found}`;
  }
  return declared.startsWith("image/")
    ? bytes
    : `the response has the content type ${quote(declared)}, not that of a picture${errorText(bytes)}`;
}

async function readBody(response: Response): Promise<Uint8Array | string> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    return `the body of the response cannot be read: ${messageOf(error)}`;
  }
}

/** The beginning of a body, as a clause on one line. */
function errorText(bytes: Uint8Array): string {
  const text = new TextDecoder()
    // A character has at most 4 bytes.
    .decode(bytes.subarray(0, 4 * shownErrorCharacters))
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  if (text === "") return "";
  const characters = [...text];
  const isCut = characters.length > shownErrorCharacters || bytes.length > 4 * shownErrorCharacters;
  return `: ${characters.slice(0, shownErrorCharacters).join("")}${isCut ? "..." : ""}`;
}
