/** The types of values (`observed`), and how their values are held. */

/** A type without parts. */
export type ScalarType = "Bool" | "Int" | "IP" | "String";

/** A type. Printed as in messages and tables. */
export type ValueType = ScalarType | `Array<${ScalarType}>` | MapType;

/** A map of lists, or of single values. */
export type MapType = `Map<Array<${ScalarType}>>` | "Map<Int>";

/** An integer of 64 bits: a number where that is exact, else a bigint, so that equal integers are identical. */
export type Int = number | bigint;

/** An address: a number for IPv4, a bigint for IPv6, so that the families never are identical. */
export type Address = number | bigint;

/** Lists, or single values, by name; a name without one is missing. */
export interface MapValue {
  /** The list or the value of a name. */
  get(name: string): unknown;
  /** The names, each once. */
  names(): readonly string[];
  /** All lists or values, in the order of the names. */
  lists(): readonly unknown[];
}

/** The value of something that the request lacks: an absent header, an index after the last one. */
export const missing = null;

/** The value of something that the test did not say. */
export const unknown = Symbol("unknown");

/** A type in a sentence, and its plural. */
export const typeNames: { readonly [T in ScalarType | "Array" | "Map"]: string } = {
  Bool: "a Bool",
  Int: "an Int",
  IP: "an IP",
  String: "a String",
  Array: "an Array",
  Map: "a Map",
};

/** Whether a type is an array. */
export function isArrayType(type: ValueType): type is `Array<${ScalarType}>` {
  return type.startsWith("Array<");
}

/** Whether a type is a map. */
export function isMapType(type: ValueType): type is MapType {
  return type.startsWith("Map<");
}

/** The type of the parts of an array or a map; undefined for another type. */
export function partType(type: ValueType): ValueType | undefined {
  if (isArrayType(type)) return type.slice("Array<".length, -1) as ScalarType;
  return isMapType(type) ? (type.slice("Map<".length, -1) as ScalarType | `Array<${ScalarType}>`) : undefined;
}

/** A type as a noun phrase. */
export function nameType(type: ValueType): string {
  if (isArrayType(type)) return `an ${type}`;
  return isMapType(type) ? `a ${type}` : typeNames[type];
}
