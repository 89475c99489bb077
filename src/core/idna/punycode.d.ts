/** The functions of the package that are used; it has no types. */
declare module "punycode/punycode.es6.js" {
  /** Decodes a label without its `xn--`. @throws {RangeError} when it is not Punycode */
  export function decode(label: string): string;
  /** Encodes a label, without `xn--`. */
  export function encode(label: string): string;
}
