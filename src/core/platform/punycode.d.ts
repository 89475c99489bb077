/** The function of the package that is used; it has no types. */
declare module "punycode/punycode.js" {
  const punycode: {
    /** Decodes every label that starts with `xn--`. @throws {RangeError} for one that is not Punycode */
    toUnicode(domain: string): string;
  };
  export default punycode;
}
