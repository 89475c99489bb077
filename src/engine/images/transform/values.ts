/** The kinds of values that options of transformations have: how a text or a member becomes one, and what is allowed. */

/** A kind of value. */
export interface ValueKind<Value> {
  /** The allowed values, as in "must be ...". */
  readonly allowed: string;
  /** The value of a member of an object; undefined when it is not allowed. */
  readonly read: (value: unknown) => Value | undefined;
  /** The value of a text in an address; undefined when it is not allowed. */
  readonly readText: (text: string) => Value | undefined;
}

/** Numbers of a range. */
export interface RangeKind extends ValueKind<number> {
  readonly min: number;
  readonly max: number;
  /** Whether they have no fraction. */
  readonly isInteger: boolean;
}

/** Some words or numbers. */
export interface ChoiceKind<Value> extends ValueKind<Value> {
  readonly values: readonly Value[];
}

/** A kind whose texts are the decimal notation of its members. */
function numeric(allowed: string, isAllowed: (value: number) => boolean): ValueKind<number> {
  const read = (value: unknown) => (typeof value === "number" && isAllowed(value) ? value : undefined);
  return { allowed, read, readText: (text) => read(decimal(text)) };
}

/** The number that a text states in decimal notation, without an exponent; undefined for any other text. */
export function decimal(text: string): number | undefined {
  return /^-?(\d+(\.\d*)?|\.\d+)$/.test(text) ? Number(text) : undefined;
}

/** An integer of a range. */
export function integer(min: number, max: number): RangeKind {
  return { ...range("an integer", min, max, Number.isInteger), isInteger: true };
}

/** A number of a range. */
export function number(min: number, max: number): RangeKind {
  return { ...range("a number", min, max, Number.isFinite), isInteger: false };
}

function range(what: string, min: number, max: number, isAllowed: (value: number) => boolean) {
  const isInside = (value: number) => isAllowed(value) && value >= min && value <= max;
  return { ...numeric(`${what} from ${min} to ${max}`, isInside), min, max };
}

/** A number from 0; `isPositive`: above 0. */
export function factor(isPositive: boolean): ValueKind<number> {
  const allowed = isPositive ? "a number above 0" : "a number from 0";
  return numeric(allowed, (value) => Number.isFinite(value) && (isPositive ? value > 0 : value >= 0));
}

/** One of some words or numbers. */
export function choice<const Value extends string | number>(...values: readonly Value[]): ChoiceKind<Value> {
  return {
    values,
    allowed: `one of ${values.join(", ")}`,
    read: (value) => values.find((allowed) => allowed === value),
    readText: (text) => values.find((allowed) => String(allowed) === text),
  };
}

/** `true` or `false`. */
export const flag: ValueKind<boolean> = {
  allowed: "`true` or `false`",
  read: (value) => (typeof value === "boolean" ? value : undefined),
  readText: (text) => (text === "true" ? true : text === "false" ? false : undefined),
};

/** Either of two kinds. */
export function either<A, B>(first: ValueKind<A>, second: ValueKind<B>): ValueKind<A | B> {
  return {
    allowed: `${first.allowed}, or ${second.allowed}`,
    read: (value) => first.read(value) ?? second.read(value),
    readText: (text) => first.readText(text) ?? second.readText(text),
  };
}
