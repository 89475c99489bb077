/** The result of cleaning an SVG: a type of the package, so it must not need the types of the parser. */

/** A clean SVG. */
export interface CleanSvg {
  /** The document, without an XML declaration. */
  readonly svg: string;
  /** Width that the document asks for, in CSS pixels, at least 1. */
  readonly width: number;
  /** Height that the document asks for, in CSS pixels, at least 1. */
  readonly height: number;
}
