/** The state of the playground as the fragment of a link: JSON, deflated, base64url, behind `#v1=`. Fragments are never sent. */
import type { PlaygroundKey } from "../../../src/workbench/playground-messages.ts";
import type { RequestForm } from "../requests/request-form.ts";
import type { ClaimsForm } from "./keys/claims-form.ts";
import { readClaims, readKeys } from "./keys/link-keys.ts";
import { isBoolean, isJsonObject, isString, memberOf, optional, stringsOf } from "./tabs/link-members.ts";
import { readTabs, type TabsState } from "./tabs/link-tabs.ts";

/** Everything that a link holds. */
export interface PlaygroundState extends TabsState {
  /** The text of the rules. */
  readonly rules: string;
  /** The earlier version to compare with. */
  readonly before: string;
  /** Id of the chosen zone, where the rules have several. */
  readonly zone?: string;
  readonly request: RequestForm;
  /** Keys that were made on the page, with their private members. */
  readonly keys?: readonly PlaygroundKey[];
  /** The form of a token; absent when it is as in the beginning. */
  readonly claims?: ClaimsForm;
}

/** Maximum length of a fragment in characters (`chosen`): longer links do not survive in mails and chats. */
export const maxFragmentLength = 32_768;

/** Maximum size of the state as JSON in bytes (`chosen`): a fragment of a few bytes can inflate to gigabytes. */
const maxStateBytes = 1024 * 1024;

const prefix = "#v1=";

/** @throws {RangeError} in a browser of before 2023 */
function requireStreams(): void {
  if (typeof CompressionStream === "undefined" || typeof DecompressionStream === "undefined")
    throw new RangeError(
      "Links need a newer browser, which has CompressionStream; save the state as a file instead.",
    );
}

/**
 * The fragment of a state, with `#v1=` in front. It may be longer than {@link maxFragmentLength}.
 *
 * @throws {RangeError} in a browser that cannot compress
 */
export async function encodeState(state: PlaygroundState): Promise<string> {
  requireStreams();
  const stream = new Blob([JSON.stringify(state)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return prefix + base64url(bytes);
}

/** The state of a fragment. @throws {RangeError} with one sentence for people, whatever the fragment has */
export async function decodeState(fragment: string): Promise<PlaygroundState> {
  const [, version] = /^#v(\d{1,9})=/.exec(fragment) ?? [];
  if (version === undefined)
    throw new RangeError("The link has no state: its fragment must begin with `#v1=`.");
  if (version !== "1")
    throw new RangeError(`The link has a state of version ${version}; this page reads version 1.`);
  if (fragment.length > maxFragmentLength)
    throw new RangeError(
      `The fragment of the link has ${fragment.length} characters; it must have at most ${maxFragmentLength}.`,
    );
  const packed = bytesOf(fragment.slice(prefix.length));
  if (packed === undefined) throw new RangeError("The link is damaged: its fragment is not base64url.");
  requireStreams();
  return readState(await inflate(packed));
}

/** The state of a file that the page wrote. @throws {RangeError} */
export function readState(text: string): PlaygroundState {
  if (text.length > maxStateBytes)
    throw new RangeError(`The state is larger than ${maxStateBytes} bytes, the maximum.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RangeError("The state is damaged: it is not JSON.");
  }
  return {
    ...stringsOf(value, "rules", "before"),
    ...optional(value, "zone", isString, "a string"),
    request: readRequest(memberOf(value, "request")),
    ...readTabs(value),
    ...readKeys(value),
    ...readClaims(value),
  };
}

function readRequest(value: unknown): RequestForm {
  return {
    ...stringsOf(value, "method", "url", "headers"),
    ...optional(value, "ip", isString, "a string"),
    ...optional(value, "body", isString, "a string"),
    ...optional(value, "challengePassed", isBoolean, "true or false"),
    ...optional(value, "fields", isRecordOfStrings, "an object of strings"),
  };
}

function isRecordOfStrings(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every(isString);
}

/** Stops at the maximum: what a hostile fragment inflates to is never in memory as a whole. */
async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<string> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let length = 0;
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      length += value.length;
      if (length > maxStateBytes) break;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    throw new RangeError("The link is damaged: its fragment cannot be inflated to text.");
  }
  await reader.cancel().catch(() => {});
  throw new RangeError(`The state of the link is larger than ${maxStateBytes} bytes, the maximum.`);
}

function base64url(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(characters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text) || text.length % 4 === 1) return undefined;
  const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
