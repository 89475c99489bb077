/** Parses the list of options in the address of a transformation (format `observed`). */

import { aString, requireArgument } from "../../../core/arguments.ts";
import type { Span } from "../../../core/diagnostic.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { decodePercents } from "../../../core/text/percent-decoding.ts";
import type { CodedDiagnostic } from "../../../errors.ts";
import type { TransformOptions } from "../transform/options.ts";
import {
  invalid,
  type ParsedTransformation,
  readOptions,
  type WrittenOption,
} from "../transform/read-options.ts";
import { decimal, flag } from "../transform/values.ts";
import { warningsOfOptions } from "../transform/warnings.ts";
import { adviseLoader } from "./loader-values.ts";

/** Maximum length of a list, in characters (chosen). */
const maxListLength = 16_384;

/** An option whose value has parts with names of their own in addresses, such as `trim.left`. */
const withParts = "trim";

/** A written option of a list: its value is a string. */
interface ListOption extends WrittenOption {
  readonly value: string;
}

/**
 * Parses the list of options of an address, such as `width=400,sharpen=3`: `,` separates, the first `=` splits, names and
 * values are percent-decoded once. Unknown names, and what is not simulated, are warnings.
 *
 * @returns all problems, with code 9401: the message has what was found and what is allowed, and `span` is the place of
 * the option in the list, in UTF-16 code units. The options are frozen
 * @example
 * ```ts
 * const parsed = parseTransformation("w=400,gravity=auto");
 * parsed.ok && parsed.value.options; // => { width: 400, gravity: "auto" }
 * const wrong = parseTransformation("w=400,fit=fill");
 * wrong.ok || wrong.problems[0].span; // => { start: 6, end: 14 }
 * ```
 */
export function parseTransformation(text: string): Result<ParsedTransformation> {
  requireArgument("text", text, aString);
  if (text.length > maxListLength)
    return failure(
      invalid(text, `a list must have at most ${maxListLength} characters; it has ${text.length}`),
    );
  const parts = partsOf(text).map(readPart);
  const written = parts.filter((part) => "value" in part);
  const read = readOptions(joinParts(written), "address", adviseLoader);
  const [first, ...more] = [
    ...parts.filter((part) => "code" in part),
    ...(read.ok ? [] : read.problems),
  ].sort((a, b) => startOf(a) - startOf(b));
  if (first) return failure(first, ...more);
  if (!read.ok) return read;
  const options = freeze(read.value.options);
  parsed.add(options);
  return success({ options, warnings: [...read.value.warnings, ...warningsOfOptions(options)] });
}

/** Options that were parsed, which need no other check: they cannot be changed. */
const parsed = new WeakSet<object>();

/** Whether an object is the `options` of a parsed list. */
export function isParsed(options: object): options is TransformOptions {
  return parsed.has(options);
}

function freeze<T extends object>(value: T): T {
  for (const member of Object.values(value))
    if (typeof member === "object" && member !== null) freeze(member);
  return Object.freeze(value);
}

function startOf({ span }: CodedDiagnostic): number {
  return span?.start ?? 0;
}

function partsOf(list: string): readonly { readonly part: string; readonly span: Span }[] {
  let start = 0;
  return list.split(",").map((part) => {
    const span = { start, end: start + part.length };
    start = span.end + 1;
    return { part, span };
  });
}

function readPart({ part, span }: ReturnType<typeof partsOf>[number]): ListOption | CodedDiagnostic {
  const equals = part.indexOf("=");
  const [name, value] = [
    decodePercents(part.slice(0, Math.max(equals, 0))),
    decodePercents(part.slice(equals + 1)),
  ];
  if (equals >= 1 && name !== undefined && value !== undefined) return { name, value, at: { span } };
  return invalid(
    part,
    "an option must have the format `name=value`, percent-encoded correctly: a comma in a value is `%2C`",
    { span },
  );
}

/** `trim.left=10,trim.border.color=red` becomes one option, in the place of the first part. */
function joinParts(written: readonly ListOption[]): readonly WrittenOption[] {
  const isPart = ({ name }: ListOption) => name.startsWith(`${withParts}.`);
  const [first] = written.filter(isPart);
  if (!first) return written;
  const joined: { [name: string]: unknown } = Object.create(null);
  for (const { name, value } of written.filter(isPart)) {
    const [member = "", second, ...more] = name.split(".").slice(1);
    const read = decimal(value) ?? flag.readText(value) ?? value;
    if (second === undefined) joined[member] ??= read;
    else {
      const inner = isJsonObject(joined[member]) ? joined[member] : {};
      joined[member] = { [[second, ...more].join(".")]: read, ...inner };
    }
  }
  const others = written.filter((option) => !isPart(option));
  if (others.some(({ name }) => name === withParts)) return others;
  return [...others, { name: withParts, value: joined, at: first.at }];
}
