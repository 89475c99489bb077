/** Names that users choose: custom image ids and names of signing keys (observed; the reserved ids are chosen). */

import { anyValue, aString, optionsOf, requireArgument, requireArguments } from "../../core/arguments.ts";
import { isUuid } from "../../core/text/uuid.ts";
import { type CodedDiagnostic, problem, quote } from "../../errors.ts";

/** Maximum length of a custom image id, in characters (code points). */
export const maxImageIdLength = 1_024;
/** Maximum length of a signing key's name, in characters. */
export const maxKeyNameLength = 20;
/** Maximum length of a creator, in characters (code points; observed). */
export const maxCreatorLength = 1_024;

/** First and last segments of endpoints below an image's address; an id with them would be ambiguous. */
const reservedFirst = new Set(["batch_token", "config", "keys", "stats", "variants"]);
const reservedLast = "blob";
/** Extensions of image files; an id may end in any of them. */
const imageExtensions = new Set(
  "apng avif bmp gif heic heif ico jfif jpe jpeg jpg jxl png svg tif tiff webp".split(" "),
);
const keyName = new RegExp(`^[A-Za-z0-9_-]{1,${maxKeyNameLength}}$`);

/** Restrictions of the real service; all off by default. */
export interface CustomIdOptions {
  /** Reject ids that are UUIDs. */
  readonly rejectUuid?: boolean;
  /** Reject custom ids on images that require signatures. */
  readonly rejectSigned?: boolean;
  /** Whether the image requires signatures; read only with `rejectSigned`. */
  readonly requireSignedURLs?: boolean;
}

const idOptions = optionsOf<CustomIdOptions>("checkCustomId", {
  rejectUuid: anyValue,
  rejectSigned: anyValue,
  requireSignedURLs: anyValue,
});

/**
 * Checks a custom image id: 1 to 1,024 characters, slashes only inside.
 *
 * @param at pointer of the problem
 * @returns the first problem, with code 5411; undefined for a valid id
 * @example
 * ```ts
 * checkCustomId("shop/cover.jpg"); // => undefined
 * checkCustomId("../cover.jpg")?.code; // => 5411
 * ```
 */
export function checkCustomId(
  id: string,
  options: CustomIdOptions = {},
  at = "/id",
): CodedDiagnostic | undefined {
  requireArguments({ id: [id, aString], options: [options, idOptions], at: [at, aString] });
  const rule = brokenRule(id) ?? brokenProviderRule(id, options);
  return rule === undefined ? undefined : problem(5411, `The custom \`id\` ${quote(id)} ${rule}.`, at);
}

/**
 * Checks the name of a signing key: 1 to 20 letters, digits, `_` or `-`.
 *
 * @returns a problem with code 5400; undefined for a valid name
 * @example
 * ```ts
 * checkKeyName("my key")?.code; // => 5400
 * ```
 */
export function checkKeyName(name: string): CodedDiagnostic | undefined {
  requireArgument("name", name, aString);
  if (keyName.test(name)) return undefined;
  const allowed = `1 to ${maxKeyNameLength} letters, digits, \`_\` or \`-\``;
  return problem(5400, `The name of a signing key must be ${allowed}; found ${quote(name)}.`);
}

/** The first rule that an id breaks, as the predicate of a sentence. */
function brokenRule(id: string): string | undefined {
  // An id of more code units than this is too long whatever its characters are.
  const length = [...id.slice(0, 2 * maxImageIdLength + 1)].length;
  if (length < 1 || length > maxImageIdLength) return `must have 1 to ${maxImageIdLength} characters`;
  if (/[\p{Cc}\p{Cs}]/u.test(id)) return "must not contain control characters or lone surrogates";
  const segments = id.split("/");
  const [first = ""] = segments;
  const last = segments.at(-1) ?? "";
  if (first === "" || last === "") return "must not begin or end with a slash";
  if (segments.some((segment) => segment === "." || segment === "..")) {
    return "must not have a segment `.` or `..`";
  }
  if (reservedFirst.has(first)) return `must not begin with ${quote(first)}, which is an endpoint`;
  if (last === reservedLast) return `must not end with ${quote(last)}, which is an endpoint`;
  const extension = extensionOf(last);
  if (extension === undefined || imageExtensions.has(extension)) return undefined;
  return `must not end in ${quote(`.${extension}`)}; only extensions of image files are allowed`;
}

function brokenProviderRule(id: string, options: CustomIdOptions): string | undefined {
  if (options.rejectUuid && isUuid(id)) return "must not be a UUID";
  if (options.rejectSigned && options.requireSignedURLs) {
    return "is not allowed for an image that requires signatures";
  }
  return undefined;
}

/** An extension: after a dot, one to five letters and digits, not digits alone (chosen). */
function extensionOf(segment: string): string | undefined {
  const [, extension] = /.\.([A-Za-z0-9]{1,5})$/.exec(segment) ?? [];
  return extension === undefined || /^\d+$/.test(extension) ? undefined : extension.toLowerCase();
}
