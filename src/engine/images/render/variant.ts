/** Variant options and ids: shapes and checks. Fields are spec; bounds and the id's characters chosen in `images.md`. */

import { type Problem, pointer, quote } from "../../../errors.ts";

/** How an image is brought into the box. */
export const fits = ["scale-down", "contain", "cover", "crop", "pad"] as const;
/** What of the EXIF data stays in the output. */
export const metadataModes = ["keep", "copyright", "none"] as const;

export type Fit = (typeof fits)[number];
export type MetadataMode = (typeof metadataModes)[number];

/** Options as a rendering takes them: a missing side follows the other one. */
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

/** Options as a stored variant has them: all four. */
export type CompleteVariantOptions = Required<VariantOptions>;

export const defaultFit: Fit = "scale-down";
export const defaultMetadata: MetadataMode = "copyright";
/** Longest side of a box in pixels (chosen). */
export const maxBoxSide = 12_000;
/** Longest variant id, and its characters (observed; the published pattern is broken). */
export const maxVariantIdLength = 99;

const members = ["fit", "width", "height", "metadata"] as const;
type Member = (typeof members)[number];

export interface VariantCheckOptions {
  /** All four members are required, as on the wire. */
  readonly complete: boolean;
  /** Pointer of the options object in a larger body, default "". */
  readonly at?: string;
}

/**
 * Checks variant options. An empty array means that the value is a `VariantOptions` (with `complete`: a
 * `CompleteVariantOptions`). Problems have code 5400.
 *
 * @example
 * ```ts
 * checkVariantOptions({ fit: "cover", width: 0 }, { complete: false }).map((p) => p.pointer); // => ["/width"]
 * ```
 */
export function checkVariantOptions(value: unknown, { complete, at = "" }: VariantCheckOptions): Problem[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [bad(at, `the options are ${quote(value)}, they must be an object`)];
  }
  const options = value as Record<string, unknown>;
  const problems = [...unknownMembers(options, at)];
  for (const member of members) problems.push(...checkMember(options, member, complete, at));
  if (!complete && !has(options, "width") && !has(options, "height")) {
    problems.push(bad(at, "the options have neither width nor height, at least one of them is needed"));
  }
  return problems;
}

/**
 * Checks a variant id: 1 to 99 characters of `A-Z a-z 0-9 _ -`.
 *
 * @example
 * ```ts
 * checkVariantId("thumb nail")?.code; // => 5400
 * ```
 */
export function checkVariantId(id: unknown, at = "/id"): Problem | undefined {
  if (typeof id === "string" && /^[A-Za-z0-9_-]{1,99}$/.test(id)) return undefined;
  return bad(
    at,
    `the variant id is ${quote(id)}, it must be 1 to ${maxVariantIdLength} letters, digits, \`_\` or \`-\``,
  );
}

const rules: Record<Member, (value: unknown) => string | undefined> = {
  fit: (value) => oneOf(value, fits),
  metadata: (value) => oneOf(value, metadataModes),
  width: boxSide,
  height: boxSide,
};

function checkMember(options: Record<string, unknown>, member: Member, complete: boolean, at: string) {
  if (!has(options, member)) {
    return complete ? [bad(at + pointer(member), `${member} is missing, all four options are required`)] : [];
  }
  const allowed = rules[member](options[member]);
  if (allowed === undefined) return [];
  return [bad(at + pointer(member), `${member} is ${quote(options[member])}, it must be ${allowed}`)];
}

function* unknownMembers(options: Record<string, unknown>, at: string): Generator<Problem> {
  for (const name of Object.keys(options)) {
    if ((members as readonly string[]).includes(name)) continue;
    yield bad(at + pointer(name), `${quote(name)} is not an option, the options are ${members.join(", ")}`);
  }
}

function has(options: Record<string, unknown>, member: Member): boolean {
  return Object.hasOwn(options, member) && options[member] !== undefined;
}

/** What would be allowed instead, or undefined when the value is. */
function oneOf(value: unknown, allowed: readonly string[]): string | undefined {
  return allowed.includes(value as string) ? undefined : `one of ${allowed.join(", ")}`;
}

function boxSide(value: unknown): string | undefined {
  const fine = Number.isInteger(value) && (value as number) >= 1 && (value as number) <= maxBoxSide;
  return fine ? undefined : `an integer from 1 to ${maxBoxSide}`;
}

function bad(at: string, message: string): Problem {
  return { code: 5400, pointer: at, message: `${message}.` };
}
