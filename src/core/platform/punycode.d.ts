/** The function of the package that is used; it has no types. */
declare module "punycode/punycode.es6.js" {
  /** Decodes a label without its `xn--`. @throws {RangeError} when it is not Punycode */
  export function decode(label: string): string;
}
