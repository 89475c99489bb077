/**
 * Allow-lists of a clean SVG: elements, attributes and properties by name (SVG 1.1 and 2, Filter Effects 1). Everything
 * else is removed.
 */

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** No script, foreignObject, handler, or anything that loads a document. */
export const svgElements = words(`
  svg g defs symbol use switch title desc a view style
  path rect circle ellipse line polyline polygon
  text tspan textPath
  image marker pattern mask clipPath linearGradient radialGradient stop
  animate animateTransform animateMotion mpath set
  filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage
  feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
`);

/** Elements that change another attribute over time. */
export const svgAnimations = words("animate animateTransform animateMotion set");

/** Properties, both as attributes and in styles. */
export const svgProperties = words(`
  alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation color-interpolation-filters
  color-rendering cursor cx cy d direction display dominant-baseline fill fill-opacity fill-rule filter flood-color
  flood-opacity font font-family font-feature-settings font-kerning font-size font-size-adjust font-stretch font-style
  font-variant font-weight glyph-orientation-horizontal glyph-orientation-vertical height image-rendering isolation
  kerning letter-spacing lighting-color line-height marker marker-end marker-mid marker-start mask mask-type
  mix-blend-mode opacity overflow paint-order pointer-events r rx ry shape-rendering stop-color stop-opacity stroke
  stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
  text-align text-anchor text-decoration text-decoration-line text-decoration-color text-rendering transform
  transform-box transform-origin unicode-bidi vector-effect visibility white-space width word-spacing writing-mode x y
  animation animation-delay animation-direction animation-duration animation-fill-mode animation-iteration-count
  animation-name animation-timing-function enable-background solid-color solid-opacity text-transform background
  background-color
`);

/** Attributes that are not properties. `href` has its own check. */
const plainAttributes = words(`
  accumulate additive amplitude attributeName attributeType azimuth baseFrequency baseProfile begin bias by calcMode
  class clipPathUnits diffuseConstant divisor dur dx dy edgeMode elevation end exponent filterRes filterUnits fr from
  fx fy gradientTransform gradientUnits id in in2 intercept k1 k2 k3 k4 kernelMatrix kernelUnitLength keyPoints
  keySplines keyTimes lang lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits
  maskUnits max media method min mode numOctaves offset operator order orient origin path pathLength
  patternContentUnits patternTransform patternUnits points pointsAtX pointsAtY pointsAtZ preserveAlpha
  preserveAspectRatio primitiveUnits radius refX refY repeatCount repeatDur requiredExtensions requiredFeatures
  restart result role rotate scale seed slope spacing specularConstant specularExponent spreadMethod startOffset
  stdDeviation stitchTiles style surfaceScale systemLanguage tableValues target targetX targetY textLength to type
  values version viewBox viewTarget x1 x2 xChannelSelector y1 y2 yChannelSelector z zoomAndPan
  aria-hidden aria-label aria-labelledby aria-describedby focusable tabindex
`);

/** Whether an attribute without a namespace is allowed (its value is checked separately). */
export function isSvgAttribute(name: string): boolean {
  return plainAttributes.has(name) || svgProperties.has(name);
}

/** Whether an animation may change this attribute: not a reference, a handler, a style or an id. */
export function isAnimatable(name: string): boolean {
  const presentation = plainAttributes.has(name) || svgProperties.has(name);
  return presentation && !["id", "style", "attributeName", "attributeType", "type"].includes(name);
}

/** Functions that are allowed in a property's value. `url` has its own check. */
export const cssFunctions = words(`
  rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix icc-color
  matrix matrix3d translate translatex translatey translatez translate3d scale scalex scaley scalez scale3d
  rotate rotatex rotatey rotatez rotate3d skew skewx skewy perspective
  calc min max clamp var cubic-bezier steps linear
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia
  rect inset circle ellipse polygon path
`);
