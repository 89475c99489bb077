/**
 * Variant options and ids: types and checks. Fields are spec; bounds and the id's characters are chosen
 * (`docs/interface/images.md`, Variants).
 */

import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";

import { type CodedDiagnostic, pointer, problem, quote } from "../../../errors.ts";

/** How an image is brought into the box. */
export const fits = ["scale-down", "contain", "cover", "crop", "pad"] as const;
/** Which EXIF data stays in the output: all, the copyright tag, or none. */
export const metadataModes = ["keep", "copyright", "none"] as const;

/** One of `fits`. */
export type Fit = (typeof fits)[number];
/** One of `metadataModes`. */
export type MetadataMode = (typeof metadataModes)[number];

/** Options of a rendering; a missing side follows the other one. */
export interface VariantOptions {
  /** Default `scale-down`. */
  readonly fit?: Fit;
  /** Box width in pixels, 1..12000. */
  readonly width?: number;
  /** Box height in pixels, 1..12000. */
  readonly height?: number;
  /** Default `copyright`. */
  readonly metadata?: MetadataMode;
}

/** Options of a stored variant: all four. */
export type CompleteVariantOptions = Required<VariantOptions>;

/** Fit of options without one. */
export const defaultFit: Fit = "scale-down";
/** Metadata mode of options without one. */
export const defaultMetadata: MetadataMode = "copyright";
/** Maximum side of a box, in pixels (chosen). */
export const maxBoxSide = 12_000;
/** Maximum length of a variant id, in characters (observed; the published pattern is broken). */
export const maxVariantIdLength = 99;

const variantId = new RegExp(`^[A-Za-z0-9_-]{1,${maxVariantIdLength}}$`);

/** How `checkVariantOptions` checks. */
export interface VariantCheckOptions {
  /** All four members are required, as on the wire. */
  readonly complete: boolean;
  /** Pointer of the options object in a larger body, default "". */
  readonly at?: string;
}

/**
 * Checks variant options.
 *
 * @returns every problem, with code 5400; an empty array means that the value is a `VariantOptions` (with `complete`: a
 * `CompleteVariantOptions`)
 * @example
 * ```ts
 * checkVariantOptions({ fit: "cover", width: 0 }, { complete: false }).map((p) => p.pointer); // => ["/width"]
 * ```
 */
export function checkVariantOptions(
  value: unknown,
  { complete, at = "" }: VariantCheckOptions,
): CodedDiagnostic[] {
  if (!isJsonObject(value)) {
    return [problem(5400, `The options must be an object; found ${quote(value)}.`, at)];
  }
  const problems = unknownMembers(value, at);
  for (const member of members) problems.push(...checkMember(value, member, complete, at));
  if (!complete && memberOf(value, "width") === undefined && memberOf(value, "height") === undefined) {
    problems.push(problem(5400, "The options must have `width` or `height`; both are missing.", at));
  }
  return problems;
}

/**
 * Checks a variant id: 1 to 99 characters of `A-Z a-z 0-9 _ -`.
 *
 * @param at pointer of the problem
 * @returns a problem with code 5400; undefined for a valid id
 * @example
 * ```ts
 * checkVariantId("thumb nail")?.code; // => 5400
 * ```
 */
export function checkVariantId(id: unknown, at = "/id"): CodedDiagnostic | undefined {
  if (typeof id === "string" && variantId.test(id)) return undefined;
  const allowed = `1 to ${maxVariantIdLength} letters, digits, \`_\` or \`-\``;
  return problem(5400, `The variant \`id\` must be ${allowed}; found ${quote(id)}.`, at);
}

interface MemberRule {
  readonly accepts: (value: unknown) => boolean;
  /** The allowed values, as in a message. */
  readonly allowed: string;
}

const side: MemberRule = {
  accepts: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= maxBoxSide,
  allowed: `an integer from 1 to ${maxBoxSide}`,
};
const rules = { fit: oneOf(fits), width: side, height: side, metadata: oneOf(metadataModes) };
type Member = keyof typeof rules;
const members = Object.keys(rules) as Member[];

function oneOf(values: readonly unknown[]): MemberRule {
  return { accepts: (value) => values.includes(value), allowed: `one of ${values.join(", ")}` };
}

function checkMember(options: JsonObject, member: Member, complete: boolean, at: string): CodedDiagnostic[] {
  const value = memberOf(options, member);
  const { accepts, allowed } = rules[member];
  if (value === undefined ? !complete : accepts(value)) return [];
  const found = value === undefined ? "it is missing" : `found ${quote(value)}`;
  return [problem(5400, `\`${member}\` must be ${allowed}; ${found}.`, at + pointer(member))];
}

function unknownMembers(options: JsonObject, at: string): CodedDiagnostic[] {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(rules, name));
  const allowed = members.map((member) => `\`${member}\``).join(", ");
  return unknown.map((name) =>
    problem(5400, `${quote(name)} is not an option; the options are ${allowed}.`, at + pointer(name)),
  );
}

/** An own member; inherited ones do not count. */
function memberOf(options: JsonObject, member: Member): unknown {
  return Object.hasOwn(options, member) ? options[member] : undefined;
}
