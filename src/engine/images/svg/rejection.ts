/** Ends the reading of an SVG from inside the parser's callbacks; only `cleanSvg` sees it. */
export class SvgRefusal extends Error {
  override readonly name = "SvgRefusal";
}
