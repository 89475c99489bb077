/**
 * Variant options and ids. An option is one entry, from which checks, schemas, random values and pages derive. Fields are
 * spec; bounds and the id's characters are chosen
 * (`docs/interface/images.md`, Variants).
 */

import { aBoolean, aString, optional, optionsOf, requireArgument } from "../../../core/arguments.ts";
import { isJsonObject, type JsonObject, ownMember } from "../../../core/json-value.ts";
import { type CodedDiagnostic, pointer, problem, quote } from "../../../errors.ts";
import {
  type ChoiceKind,
  choice,
  integer,
  number,
  type RangeKind,
  type ValueKind,
} from "../transform/values.ts";

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

/** Everything about an option; an entry without one of the members does not compile. */
export interface VariantOption<Value> {
  readonly kind: ChoiceKind<Value> | (RangeKind & ValueKind<Value>);
  /** The value of options without it; undefined for one that follows others. */
  readonly usual: Value | undefined;
  /** Whether a stored variant must have it (`spec`). */
  readonly stored: "required" | "optional";
  /** One sentence, for the reference. */
  readonly help: string;
}

/** The options. */
export const variantOptions = {
  fit: {
    kind: choice(...fits),
    usual: "scale-down",
    stored: "required",
    help: "How the image is brought into the box.",
  },
  width: {
    kind: integer(1, maxBoxSide),
    usual: undefined,
    stored: "required",
    help: "Width of the box, in pixels; without it, it follows the height.",
  },
  height: {
    kind: integer(1, maxBoxSide),
    usual: undefined,
    stored: "required",
    help: "Height of the box, in pixels; without it, it follows the width.",
  },
  metadata: {
    kind: choice(...metadataModes),
    usual: "copyright",
    stored: "required",
    help: "The EXIF data that stays in the output.",
  },
  blur: {
    kind: number(0, 250),
    usual: 0,
    stored: "optional",
    help: "Radius of a blur (observed); its strength, sigma = radius / 2, is chosen.",
  },
  browser_ttl: {
    kind: integer(3_600, 31_536_000),
    usual: undefined,
    stored: "optional",
    help: "Time that a browser may keep a public image, in seconds; without it two days. A rendering ignores it.",
  },
} as const satisfies {
  readonly [Name in keyof VariantOptions]-?: VariantOption<NonNullable<VariantOptions[Name]>>;
};

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

/** The value that a text means, as in an address; a text that means none is a value to be rejected. */
export function readOption(name: OptionName, text: string): string | number {
  return variantOptions[name].kind.readText(text) ?? text;
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

const checkOptions = optionsOf<VariantCheckOptions>("checkVariantOptions", {
  complete: aBoolean,
  at: optional(aString),
});

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
export function checkVariantOptions(value: unknown, options: VariantCheckOptions): CodedDiagnostic[] {
  requireArgument("options", options, checkOptions);
  const { complete, at = "" } = options;
  if (!isJsonObject(value)) {
    return [problem(5400, `The options must be an object; found ${quote(value)}.`, at)];
  }
  const problems = unknownMembers(value, at);
  for (const name of optionNames) problems.push(...checkMember(value, name, complete, at));
  if (!complete && ownMember(value, "width") === undefined && ownMember(value, "height") === undefined) {
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
  const value = ownMember(options, name);
  const { kind, stored } = variantOptions[name];
  const isOptional = !complete || stored === "optional";
  if (value === undefined ? isOptional : kind.read(value) !== undefined) return [];
  const found = value === undefined ? "it is missing" : `found ${quote(value)}`;
  return [problem(5400, `\`${name}\` must be ${kind.allowed}; ${found}.`, at + pointer(name))];
}

function unknownMembers(options: JsonObject, at: string): CodedDiagnostic[] {
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(variantOptions, name));
  const allowed = optionNames.map((name) => `\`${name}\``).join(", ");
  return unknown.map((name) =>
    problem(5400, `${quote(name)} is not an option; the options are ${allowed}.`, at + pointer(name)),
  );
}
