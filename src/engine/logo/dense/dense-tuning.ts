/** Every number of dense detection that was tuned, in one place; all of it is `chosen`. Lengths are in pixels. */

/** Version of the detector: calibration numbers of another version are computed again. */
export const detectorVersion = 6;

/** Sobel gradient at which the field has half its full length; a step of 10 levels. */
export const softGradient = 40;
/** Minimum squared length of a vector (of 127) that has a bin. */
export const minBinSquare = 4000;
/** Pixels around the picture at every level, so that a logo may be cut off by the picture's edge. */
export const padding = 16;
/** Minimum shorter side of a level. */
export const minLevelSide = 8;
/** Maximum number of levels, each half as large as the one before. */
export const maxLevels = 7;
/** Rows of cells below a group that must contain edges, and how many of them. */
export const activeRows = [6, 2] as const;

/** Pictures wider than this are reduced to it. */
export const maxWorkingWidth = 2000;
/** Default maximum of working pixels that are prepared at once. */
export const defaultWorkingPixels = 4_000_000;
/** Rows that neighboring strips of a tall picture share. */
export const stripOverlap = 512;

/** Sizes of templates, the root of width times height, that are searched at every level. */
export const templateSizes = [24, 28.5, 34, 40] as const;
/** Sizes of templates that are searched at the first level only, at every second pixel. */
export const smallTemplateSizes = [14, 17, 20] as const;
/** Minimum shorter side of the smallest template; all templates of a long logo are larger for it. */
export const minTemplateSide = 11;
/** Maximum side of a template with its margin; larger ones do not exist. */
export const maxTemplateSide = 250;
/** Pixels around the logo in a template. */
export const templateMargin = 2;
/** Features whose responses are summed, at templates of every size and at small ones. */
export const featureCounts = [32, 24] as const;
/** Points whose vectors are correlated. */
export const pointCount = 72;
/** A silhouette whose field has a larger cosine with the full logo is left out. */
export const maxSilhouetteCosine = 0.97;
/** Blocks along a side of a template when a position is verified. */
export const blocksPerSide = 6;

/** Minimum share of the largest sum of responses that a position must exceed. */
export const minSumShare = 0.5;
/** Number of templates from which bounds of the sums are computed for a level. */
export const minBoundedTemplates = 96;
/** Groups that are kept for a template: at the first level, at the others. */
export const keptGroups = [24, 12] as const;
/** Minimum cosine of a position whose box is fitted, and of a fitted box that is verified. */
export const minCosine = 0.5;
export const minFittedCosine = 0.66;
/** Cost of a small template when positions are ordered, and in the value of a place without the colors of the logo. */
export const smallCost = 0.1;
/** Positions of a template, and of a kind, whose box is fitted. */
export const fittedPositions = [3, 10] as const;
/** Positions of a kind that are verified. */
export const verifiedPositions = 4;
/** Calibrated value from which a logo is found: a score of 0.85. */
export const foundValue = 0.33;
/** Range of the scale of a fitted box. */
export const fitRange = [0.82, 1.22] as const;

/** Pixels that cost as much to read as the sum of a template at a group of cells, as writing a template, and as a correlation. */
export const sumWork = 4;
export const templateWork = 128;
export const correlationWork = 128;
/** The same for what is computed for a place of a logo, and of a logo with colors. */
export const placeWork = 1 << 9;
export const coloredPlaceWork = 1 << 12;

/** Places of a template that are compared in a level of a sketch, for each of its shifts. */
export const sketchPlaces = 8;
/** Weight of a direction in the next one, and bits of a place that count without edges. */
export const sketchDirectionShare = 0.4;
export const sketchNoise = 4;

/** Share of the best value in the calibration pictures that is subtracted from a value. */
export const calibrationShare = 0.8;
/** Minimum of that best value: a logo that reaches less, or nothing, is not more distinctive for it. */
export const calibrationFloor = 0.4;
/**
 * Maximum of the whole cosine less that of the lowest blocks at a place of a large template that costs only what large ones reach:
 * common things resemble a part of a logo.
 */
export const maxUnevenness = 0.2;
/**
 * Value of a place that is only as similar as the best one in pictures of text: the rest of that is subtracted. So a
 * place must exceed text by 0.09 for a score of 0.85.
 */
export const textAllowance = 0.24;
/** Agreement of colors from which a place costs less, and from which it pays nothing for text and `colorGain` less. */
export const colorRange = [0.5, 0.8] as const;
export const colorGain = 0.03;
/** Share of the cost above the minimum that such a place does not pay: the discs and tiles of the pictures have other colors. */
export const colorRelief = 0.5;
/**
 * Mean distance of a place's chroma from that of the logo up to which it has no color of it, and from which it pays
 * `ownColorGain` less for common things. At most a tenth of the similar places without the logo are within 89 levels.
 */
export const ownColorRange = [70, 30] as const;
export const ownColorGain = 0.1;
/** Costs of a place that has only a part of a lock-up: it says less than the whole, and a word is also found where it is text. */
export const partCosts = { symbol: 0.02, word: 0.11 } as const;
/** A silhouette that reaches this value in the calibration pictures is a disc or a tile, and is not searched. */
export const plainSilhouette = 0.85;
/** Longest side of a picture that is also searched mirrored, rotated by so many degrees, and stretched to so much of its width. */
export const isolatedSide = 640;
export const isolatedDegrees = 7;
export const isolatedStretches = [0.75, 1.33] as const;
/** Degrees of the rotated templates, in both directions, when rotations are searched. */
export const rotationDegrees = 16;

/**
 * Score by calibrated value, piecewise linear (`chosen`). On 144,987 pairs of the tuning part, those of 139 logos without one that is
 * two letters of a text, 5e-4 were false alarms at the value 0.265 and 5e-5 at 0.33: half of what the scores 0.75 and 0.85
 * promise, since pages of others have more. With 0.31 at 0.85 sign-in pages had 4 alarms in 4,160 pairs, with 0.33 one.
 */
export const denseBreakpoints = [
  [-0.4, 0],
  [0, 0.4],
  [0.15, 0.6],
  [0.265, 0.75],
  [foundValue, 0.85],
  [0.55, 0.92],
  [1, 0.98],
] as const;
