/**
 * A token's payload: strict reading, and what the clock says of it.
 *
 * Only `exp` and `nbf` are looked at (`observed`). Boundaries and whole seconds as in jose (`chosen`): now is
 * rounded down to whole seconds, expired when `exp <= now - t`, not yet valid when `nbf > now + t`.
 */

import { quote } from "../../../errors.ts";
import type { Reason } from "../model.ts";
import { decodeBase64urlInto, explainBase64url } from "./base64url.ts";
import { type JsonObject, readJsonObject } from "./json-object.ts";

/** A payload whose times can be compared. Seconds since 1970. */
export interface Claims {
  readonly object: JsonObject;
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
}

/**
 * The claims of the payload that stands in `scratch` from `start` to before `end`, or what is wrong with it; decodes
 * into `scratch` from `offset` on.
 */
export function readClaims(scratch: Buffer, start: number, end: number, offset: number): Claims | string {
  const length = decodeBase64urlInto(scratch, start, end, scratch, offset);
  if (length < 0) return `the payload ${explainBase64url(scratch.toString("latin1", start, end))}`;
  const read = readJsonObject(scratch, offset, offset + length);
  if (typeof read === "string") return `the payload ${read}`;
  const { object } = read;
  const exp = Object.hasOwn(object, "exp") ? object["exp"] : undefined;
  const nbf = Object.hasOwn(object, "nbf") ? object["nbf"] : undefined;
  if (!isTime(exp)) return notATime("exp", exp);
  return isTime(nbf) ? { object, exp, nbf } : notATime("nbf", nbf);
}

function isTime(value: unknown): value is number | undefined {
  return value === undefined || Number.isFinite(value);
}

function notATime(name: string, value: unknown): string {
  return `the claim \`${name}\` is ${quote(value)}; a finite number of seconds is needed`;
}

/** What the clock says against a token. */
export interface TimeRejection {
  readonly reason: Reason & ("expired" | "not_yet_valid");
  readonly detail: string;
}

/** Checks exp, then nbf; undefined when the token is valid at that time. */
export function checkTimes(
  { exp, nbf }: Pick<Claims, "exp" | "nbf">,
  nowMs: number,
  toleranceSeconds: number,
): TimeRejection | undefined {
  const now = Math.floor(nowMs / 1000);
  if (exp !== undefined && exp <= now - toleranceSeconds) {
    const detail = `expired ${now - exp} s ago, at ${printTime(exp)}${printTolerance(toleranceSeconds)}`;
    return { reason: "expired", detail };
  }
  if (nbf !== undefined && nbf > now + toleranceSeconds) {
    const detail = `valid only in ${nbf - now} s, from ${printTime(nbf)}${printTolerance(toleranceSeconds)}`;
    return { reason: "not_yet_valid", detail };
  }
  return undefined;
}

function printTolerance(seconds: number): string {
  return seconds === 0 ? "" : ` (tolerance ${seconds} s)`;
}

/** Largest distance from 1970 that a date can have (ECMA-262, time values), in seconds. */
const maxDateSeconds = 8.64e12;

function printTime(seconds: number): string {
  if (Math.abs(seconds) > maxDateSeconds) return `${seconds} s since 1970`;
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
