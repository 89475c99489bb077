/**
 * A token's payload: strict parsing, and the checks of its times.
 *
 * Only `exp` and `nbf` are checked (`observed`). Boundaries and whole seconds as in jose (`chosen`): now is
 * rounded down to whole seconds, expired when `exp <= now - t`, not yet valid when `nbf > now + t`.
 */

import { latin1Text } from "#bytes";
import type { JsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { mustBe } from "../input-problem.ts";
import type { Reason } from "../model.ts";
import { decodeBase64urlInto, explainBase64url } from "./base64url.ts";
import { readJsonObject } from "./json-object.ts";

/** A payload with the times of validity, in seconds since 1970. */
export interface Claims {
  readonly object: JsonObject;
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
}

/**
 * Reads the payload in `scratch` from `start` to before `end`; decodes into `scratch` from `offset` on. The problem of a
 * failure is a clause.
 */
export function readClaims(
  scratch: Uint8Array,
  start: number,
  end: number,
  offset: number,
): Result<Claims, string> {
  const length = decodeBase64urlInto(scratch, start, end, scratch, offset);
  if (length < 0) return failure(`the payload ${explainBase64url(latin1Text(scratch, start, end))}`);
  const read = readJsonObject(scratch, offset, offset + length);
  if (!read.ok) return failure(`the payload ${read.problems[0]}`);
  const { object } = read.value;
  const exp = Object.hasOwn(object, "exp") ? object["exp"] : undefined;
  const nbf = Object.hasOwn(object, "nbf") ? object["nbf"] : undefined;
  if (!isTime(exp)) return notATime("exp", exp);
  return isTime(nbf) ? success({ object, exp, nbf }) : notATime("nbf", nbf);
}

function isTime(value: unknown): value is number | undefined {
  return value === undefined || Number.isFinite(value);
}

function notATime(name: string, value: unknown): Result<never, string> {
  return failure(mustBe(`the claim \`${name}\``, "a finite number of seconds", value));
}

/** The rejection of a token by its times. */
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
    const unit = isMilliseconds(nbf) ? `; ${explainMilliseconds("nbf", nbf)}` : "";
    const detail = `valid only in ${nbf - now} s, from ${printTime(nbf)}${printTolerance(toleranceSeconds)}${unit}`;
    return { reason: "not_yet_valid", detail };
  }
  return undefined;
}

/** Times from this value on are taken for milliseconds (`chosen`): as seconds they are after the year 5138, as milliseconds after 1973. */
const minMilliseconds = 1e11;

function isMilliseconds(time: unknown): time is number {
  return typeof time === "number" && time >= minMilliseconds && time <= maxDateSeconds * 1000;
}

function explainMilliseconds(name: string, time: number): string {
  return `\`${name}\` must be in seconds; ${time} looks like milliseconds, ${printTime(Math.floor(time / 1000))}`;
}

/** The times of a payload that look like milliseconds, as a clause; undefined when none does. */
export function noteMilliseconds(claims: Readonly<Record<string, unknown>>): string | undefined {
  const notes = ["exp", "nbf", "iat"].flatMap((name) => {
    const time = Object.hasOwn(claims, name) ? claims[name] : undefined;
    return isMilliseconds(time) ? [explainMilliseconds(name, time)] : [];
  });
  return notes.length === 0 ? undefined : notes.join("; ");
}

function printTolerance(seconds: number): string {
  return seconds === 0 ? "" : ` (tolerance ${seconds} s)`;
}

/** Maximum distance of a date from 1970 (ECMA-262, time values), in seconds. */
const maxDateSeconds = 8.64e12;

function printTime(seconds: number): string {
  if (Math.abs(seconds) > maxDateSeconds) return `${seconds} s since 1970`;
  return new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
}
