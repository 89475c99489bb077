/** Names that users choose: custom image ids and names of signing keys (observed; what is reserved is chosen). */

import { type Problem, quote } from "../../errors.ts";

export const maxImageIdLength = 1_024;
export const maxKeyNameLength = 20;

/** First and last segments of endpoints below an image's address; an id with them could not be told from one. */
const reservedFirst = new Set(["keys", "stats", "variants"]);
const reservedLast = "blob";
/** Extensions of image files; an id may end in any of them. */
const imageExtensions = new Set(
  "apng avif bmp gif heic heif ico jfif jpe jpeg jpg jxl png svg tif tiff webp".split(" "),
);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Restrictions of the real service that nothing else asks for; all off by default. */
export interface CustomIdOptions {
  /** Refuse ids that are UUIDs. */
  readonly refuseUuid?: boolean;
  /** Refuse custom ids on images that require signatures. */
  readonly refuseSigned?: boolean;
  /** Whether the image is to require signatures. */
  readonly requireSignedURLs?: boolean;
}

/**
 * Checks a custom image id: 1 to 1,024 characters, slashes inside. Problems have code 5411.
 *
 * @example
 * ```ts
 * checkCustomId("shop/cover.jpg"); // => undefined
 * checkCustomId("../cover.jpg")?.code; // => 5411
 * ```
 */
export function checkCustomId(id: string, options: CustomIdOptions = {}, at = "/id"): Problem | undefined {
  const fault = faultOf(id) ?? providerFaultOf(id, options);
  return fault === undefined ? undefined : bad(5411, at, `The custom id ${quote(id)} ${fault}.`);
}

/**
 * Checks the name of a signing key: 1 to 20 letters, digits, `_` or `-`. Problems have code 5400.
 *
 * @example
 * ```ts
 * checkKeyName("my key")?.code; // => 5400
 * ```
 */
export function checkKeyName(name: string): Problem | undefined {
  if (/^[A-Za-z0-9_-]{1,20}$/.test(name)) return undefined;
  const allowed = `it must be 1 to ${maxKeyNameLength} letters, digits, \`_\` or \`-\``;
  return { code: 5400, message: `The name of the signing key is ${quote(name)}, ${allowed}.` };
}

function faultOf(id: string): string | undefined {
  const length = [...id.slice(0, 2 * maxImageIdLength + 1)].length;
  if (length < 1 || length > maxImageIdLength) return `must have 1 to ${maxImageIdLength} characters`;
  if (/[\p{Cc}\p{Cs}]/u.test(id)) return "holds a control character or half a character";
  const segments = id.split("/");
  const [first, last] = [segments[0]!, segments.at(-1)!];
  if (first === "" || last === "") return "must neither begin nor end with a slash";
  if (segments.some((segment) => segment === "." || segment === "..")) return "has a segment `.` or `..`";
  if (reservedFirst.has(first)) return `must not begin with ${quote(first)}, which is an endpoint`;
  if (last === reservedLast) return `must not end with ${quote(last)}, which is an endpoint`;
  const extension = extensionOf(last);
  if (extension === undefined || imageExtensions.has(extension)) return undefined;
  return `ends in ${quote(`.${extension}`)}, an extension must be that of an image`;
}

function providerFaultOf(id: string, options: CustomIdOptions): string | undefined {
  if (options.refuseUuid && uuid.test(id)) return "must not be a UUID";
  if (options.refuseSigned && options.requireSignedURLs)
    return "cannot be given to an image that requires signatures";
  return undefined;
}

/** What looks like an extension: a dot, then one to five letters and digits, not digits alone (chosen). */
function extensionOf(segment: string): string | undefined {
  const [, extension] = /.\.([A-Za-z0-9]{1,5})$/.exec(segment) ?? [];
  return extension === undefined || /^\d+$/.test(extension) ? undefined : extension.toLowerCase();
}

function bad(code: 5411, at: string, message: string): Problem {
  return { code, pointer: at, message };
}
