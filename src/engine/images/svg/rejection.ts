/** Aborts the parser from inside its callbacks; only `cleanSvg` catches it. The message has no full stop. */
export class SvgRejection extends Error {
  override readonly name = "SvgRejection";
}
