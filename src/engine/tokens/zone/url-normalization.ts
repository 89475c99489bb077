/**
 * Normalizes the path of a URL before any rule reads it (`observed`; what is silent there is in
 * docs/decisions/0018-url-normalization.md).
 *
 * Most paths are in normal form: one scan finds so, and returns them as they are.
 */

import { isJsonObject } from "../../../core/json-value.ts";
import { type CodedDiagnostic, pointer } from "../../../errors.ts";
import { invalidValue, joinAlternatives } from "../input-problem.ts";
import { normalizeEscape, withoutSurrogates } from "./path-template.ts";

/** The rules of the normalization: `cloudflare` also has `\` and repeated `/` as one `/`. */
export const normalizationTypes = ["cloudflare", "rfc3986"] as const;

/** Where URLs are normalized: for rules alone, also for the origin, or nowhere. */
export const normalizationScopes = ["incoming", "both", "none"] as const;

/** The setting of a zone. */
export interface UrlNormalization {
  /** The rules of the normalization. */
  readonly type: (typeof normalizationTypes)[number];
  /** Where URLs are normalized. Rules read the same with `incoming` and `both`. */
  readonly scope: (typeof normalizationScopes)[number];
}

/** The change of the paths of requests: that of a type, or none. */
export type PathNormalization = UrlNormalization["type"] | "none";

const allowed = { type: normalizationTypes, scope: normalizationScopes } as const;

/** The problems of a setting of unknown origin. */
export function checkUrlNormalization(setting: unknown, at: string): CodedDiagnostic[] {
  if (!isJsonObject(setting))
    return [invalidValue(at, "`url_normalization`", "an object with `type` and `scope`", setting)];
  return Object.entries(allowed).flatMap(([member, choices]) => {
    const value = setting[member];
    if (choices.some((choice) => choice === value)) return [];
    const listed = joinAlternatives(choices.map((choice) => `\`${choice}\``));
    return [invalidValue(at + pointer(member), `\`${member}\``, listed, value)];
  });
}

/** The change of paths by a setting. */
export function pathNormalizationOf({ type, scope }: UrlNormalization): PathNormalization {
  return scope === "none" ? "none" : type;
}

/** The setting of a zone that has none of its own. */
export function defaultUrlNormalization(normalization: PathNormalization): UrlNormalization {
  return normalization === "none"
    ? { type: "cloudflare", scope: "none" }
    : { type: normalization, scope: "incoming" };
}

/** The path as rules read it; the same string when nothing is to be done. */
export function normalizeUrlPath(path: string, normalization: PathNormalization): string {
  return isNormalizedPath(path, normalization) ? path : normalizeChangedPath(path, normalization);
}

/** Whether a path stays as it is. */
export function isNormalizedPath(path: string, normalization: PathNormalization): boolean {
  if (normalization === "none") return true;
  return !changed.test(path) && !(normalization === "cloudflare" && path.includes("//"));
}

/**
 * The parts that RFC 3986 changes: a character that a path cannot have unencoded, a percent sign without two hexadecimal digits in
 * capitals, an encoded unreserved character, and a dot segment.
 */
const changed =
  /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]|%(?:[^0-9A-F]|.[^0-9A-F]|.?$|2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])|\/\.{1,2}(?:\/|$)/s;

/** An encoded character, or a character to encode. */
const encodable = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/gu;

/** The general path. Slashes come first, so that an encoded backslash stays (`observed`). */
export function normalizeChangedPath(path: string, normalization: PathNormalization): string {
  if (normalization === "none") return path;
  const merged = normalization === "cloudflare" ? path.replace(/[/\\]+/g, "/") : path;
  return removeDotSegments(withoutSurrogates(merged).replace(encodable, encode));
}

function encode(found: string): string {
  return found.length === 3 && found.startsWith("%") ? normalizeEscape(found) : encodeURIComponent(found);
}

/** RFC 3986, section 5.2.4. */
function removeDotSegments(path: string): string {
  const segments = path.split("/").slice(1);
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === "..") kept.pop();
    else if (segment !== ".") kept.push(segment);
  }
  const last = segments.at(-1);
  if (last === "." || last === "..") kept.push("");
  return `/${kept.join("/")}`;
}
