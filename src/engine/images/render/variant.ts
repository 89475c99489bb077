/**
 * Variant options and ids. An option is one entry, from which checks, schemas, random values and pages derive. Fields are
 * spec; bounds and the id's characters are chosen
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
  /** Radius of a blur, 0..250. Default 0. */
  readonly blur?: number;
  /** Time that a browser may keep a public image, in seconds, 3600..31536000; a rendering ignores it. Default: 172800. */
  readonly browser_ttl?: number;
}

/** Maximum side of a box, in pixels (chosen). */
export const maxBoxSide = 12_000;

/** Everything about an option that all of them have; an entry without one of the members does not compile. */
interface SharedMembers<Value> {
  /** The value of options without it; undefined for one that follows others. */
  readonly usual: Value | undefined;
  /** Whether a stored variant must have it (`spec`). */
  readonly stored: "required" | "optional";
  /** One sentence, for the reference. */
  readonly help: string;
}

/** An option with one of some words. */
interface ChoiceOption<Value extends string = string> extends SharedMembers<Value> {
  /** The words. */
  readonly values: readonly Value[];
}

/** An option with a number. */
interface NumberOption extends SharedMembers<number> {
  /** The minimum. */
  readonly min: number;
  /** The maximum. */
  readonly max: number;
  /** Whether it may have a fraction; integers only without it. */
  readonly hasFraction?: true;
}

/** The entry of an option. */
export type VariantOption<Name extends keyof VariantOptions> = [Required<VariantOptions>[Name]] extends [
  string,
]
  ? ChoiceOption<Required<VariantOptions>[Name]>
  : NumberOption;

/** The options. */
export const variantOptions = {
  fit: {
    values: fits,
    usual: "scale-down",
    stored: "required",
    help: "How the image is brought into the box.",
  },
  width: {
    min: 1,
    max: maxBoxSide,
    usual: undefined,
    stored: "required",
    help: "Width of the box, in pixels; without it, it follows the height.",
  },
  height: {
    min: 1,
    max: maxBoxSide,
    usual: undefined,
    stored: "required",
    help: "Height of the box, in pixels; without it, it follows the width.",
  },
  metadata: {
    values: metadataModes,
    usual: "copyright",
    stored: "required",
    help: "The EXIF data that stays in the output.",
  },
  blur: {
    min: 0,
    max: 250,
    hasFraction: true,
    usual: 0,
    stored: "optional",
    help: "Radius of a blur (observed); its strength, sigma = radius / 2, is chosen.",
  },
  browser_ttl: {
    min: 3_600,
    max: 31_536_000,
    usual: undefined,
    stored: "optional",
    help: "Time that a browser may keep a public image, in seconds; without it two days. A rendering ignores it.",
  },
} as const satisfies { readonly [Name in keyof VariantOptions]-?: VariantOption<Name> };

/** The name of an option. */
type OptionName = keyof VariantOptions;
/** The names of the options that a stored variant must have. */
type RequiredName = {
  [Name in OptionName]: (typeof variantOptions)[Name] extends { readonly stored: "required" } ? Name : never;
}[OptionName];

/** Options of a stored variant: all four. */
export type CompleteVariantOptions = VariantOptions & Required<Pick<VariantOptions, RequiredName>>;

/** Options as they are stored: where one side is enough, the other may be missing. */
export type StoredVariantOptions = VariantOptions & Required<Pick<VariantOptions, "fit" | "metadata">>;

/** Fit of options without one. */
export const defaultFit: Fit = variantOptions.fit.usual;
/** Metadata mode of options without one. */
export const defaultMetadata: MetadataMode = variantOptions.metadata.usual;

/** The names of the options. */
export const optionNames = Object.keys(variantOptions) as readonly OptionName[];

/** The entry of an option. */
function optionOf(name: OptionName): ChoiceOption | NumberOption {
  return variantOptions[name];
}

/** Whether a value is one of an option. */
function isOptionValue(name: OptionName, value: unknown): boolean {
  const option = optionOf(name);
  if ("values" in option) return typeof value === "string" && option.values.includes(value);
  const isNumber = option.hasFraction ? Number.isFinite(value) : Number.isInteger(value);
  return isNumber && Number(value) >= option.min && Number(value) <= option.max;
}

/** The allowed values of an option, as in a message. */
function describeOption(name: OptionName): string {
  const option = optionOf(name);
  if ("values" in option) return `one of ${option.values.join(", ")}`;
  return `${option.hasFraction ? "a number" : "an integer"} from ${option.min} to ${option.max}`;
}

/** The value that a text means, as in an address; texts that are not one of the option are values to be rejected. */
export function readOption(name: OptionName, text: string): string | number {
  return "values" in variantOptions[name] ? text : Number(text);
}

/** Maximum length of a variant id, in characters (observed; the published pattern is broken). */
export const maxVariantIdLength = 99;

const variantId = new RegExp(`^[A-Za-z0-9_-]{1,${maxVariantIdLength}}$`);

/** How `checkVariantOptions` checks. */
export interface VariantCheckOptions {
  /** The members of a stored variant are required, as on the wire. */
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
  for (const name of optionNames) problems.push(...checkMember(value, name, complete, at));
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

function checkMember(
  options: JsonObject,
  name: OptionName,
  complete: boolean,
  at: string,
): CodedDiagnostic[] {
  const value = memberOf(options, name);
  const isOptional = !complete || optionOf(name).stored === "optional";
  if (value === undefined ? isOptional : isOptionValue(name, value)) return [];
  const found = value === undefined ? "it is missing" : `found ${quote(value)}`;
  return [problem(5400, `\`${name}\` must be ${describeOption(name)}; ${found}.`, at + pointer(name))];
}

function unknownMembers(options: JsonObject, at: string): CodedDiagnostic[] {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(variantOptions, name));
  const allowed = optionNames.map((name) => `\`${name}\``).join(", ");
  return unknown.map((name) =>
    problem(5400, `${quote(name)} is not an option; the options are ${allowed}.`, at + pointer(name)),
  );
}

/** An own member; inherited ones do not count. */
function memberOf(options: JsonObject, name: OptionName): unknown {
  return Object.hasOwn(options, name) ? options[name] : undefined;
}
