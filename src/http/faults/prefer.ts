/** Faults that a request asks for itself by the header `Prefer` (RFC 7240), as peers have it (`chosen`). */
import { ApiError, alternatives, problem, quoteText } from "../../errors.ts";
import { maxDelayMs, maxRetryAfter } from "../../service/faults/fault-rules.ts";
import { type FaultEffects, faultStatuses } from "../../service/faults.ts";

/** The fault of a request, and the preferences that say it. */
export interface FaultPreferences {
  readonly effects: FaultEffects;
  /** Value of the response header `Preference-Applied`. */
  readonly applied: string;
}

interface Preference {
  /** The allowed values in words. */
  readonly allowed: string;
  /** The effect of a value; undefined for a value that is not allowed. */
  read(value: string): FaultEffects | undefined;
}

const status = /^[1-9]\d{2}$/;
const decimal = /^\d{1,5}(\.\d{1,3})?$/;
const integer = /^(0|[1-9]\d{0,8})$/;

const preferences: Readonly<Record<string, Preference>> = {
  code: {
    allowed: alternatives(faultStatuses.map(String)),
    read: (value) => {
      const found = faultStatuses.find((known) => status.test(value) && known === Number(value));
      return found && { status: found };
    },
  },
  delay: {
    allowed: `a number of seconds from 0 to ${maxDelayMs / 1_000}`,
    read: (value) => {
      const delayMs = decimal.test(value) ? Math.round(Number(value) * 1_000) : Number.NaN;
      return delayMs <= maxDelayMs ? { delayMs } : undefined;
    },
  },
  cut: {
    allowed: "a number of bytes",
    read: (value) => (integer.test(value) ? { cut: Number(value) } : undefined),
  },
  "retry-after": {
    allowed: `a number of seconds from 0 to ${maxRetryAfter}`,
    read: (value) => {
      const retryAfter = integer.test(value) ? Number(value) : Number.NaN;
      return retryAfter <= maxRetryAfter ? { retryAfter } : undefined;
    },
  },
  after: { allowed: "without a value", read: (value) => (value === "" ? { after: true } : undefined) },
};

/**
 * The fault that a header asks for; undefined when no preference is one of a fault. Other preferences are ignored, and of a
 * preference that is given twice the first counts (RFC 7240, section 2).
 *
 * @throws {ApiError} 10400 for a value that is not allowed
 */
export function requestedFault(header: string | null): FaultPreferences | undefined {
  if (header === null) return undefined;
  const found = new Map<string, FaultEffects>();
  const applied: string[] = [];
  for (const text of splitUnquoted(header, ",")) {
    const [preference = ""] = splitUnquoted(text, ";");
    const [word = "", value = ""] = nameAndValue(preference);
    const name = word.toLowerCase();
    const known = Object.hasOwn(preferences, name) ? preferences[name] : undefined;
    if (!known || found.has(name)) continue;
    const effect = known.read(value);
    if (!effect) throw invalid(name, value, known.allowed);
    found.set(name, effect);
    applied.push(value === "" ? name : `${name}=${value}`);
  }
  if (!["code", "delay", "cut"].some((name) => found.has(name))) return undefined;
  return { effects: Object.assign({}, ...found.values()), applied: applied.join(", ") };
}

function invalid(name: string, value: string, allowed: string): ApiError {
  const message = `\`${name}\` of the header \`Prefer\` must be ${allowed}; found ${quoteText(value)}.`;
  return new ApiError(problem(10400, message));
}

/** Splits at a character outside of quoted strings, in one pass. */
function splitUnquoted(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (isQuoted && c === "\\") i++;
    else if (c === '"') isQuoted = !isQuoted;
    else if (c === separator && !isQuoted) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function nameAndValue(preference: string): readonly [name: string, value: string] {
  const at = preference.indexOf("=");
  if (at < 0) return [preference.trim(), ""];
  const value = preference.slice(at + 1).trim();
  const isQuoted = value.length > 1 && value.startsWith('"') && value.endsWith('"');
  return [preference.slice(0, at).trim(), isQuoted ? value.slice(1, -1).replaceAll(/\\(.)/g, "$1") : value];
}
