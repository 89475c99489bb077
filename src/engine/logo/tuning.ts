/**
 * Every number of the logo pipeline that was tuned, in one place. All of it is `chosen`.
 *
 * The numbers were fixed on the tuning parts of the evaluations (`npm run bench:logos`, `npm run bench:pages`), never on
 * the held-out parts.
 * Sizes and thresholds were fixed first, by recall at a false-alarm rate of 1e-4; `scoreBreakpoints` came last, from
 * the raw similarities that the negatives of the tuning half reach.
 *
 * Units: sides, heights and gaps in pixels; color distances, noise and contrast on the scale of 0 to 255; shares 0 to 1.
 */

/** Width of the working picture, and height of a wide one; larger pictures are averaged down to it, which takes longest. */
export const workingSide = 1440;
/** Maximum height of the working picture as a multiple of `workingSide`: pages are taller than wide. */
export const workingHeights = 4;
/** Longest side up to which candidate regions are searched at full size; larger pictures are searched at half size. */
export const fullSizeSide = 400;
/** Longest side from which a picture is searched as a page: at full size, with its flat areas. */
export const pageSide = 641;

/** Maximum difference of two neighbors of a flat area, in each channel. */
export const flatAreaStep = 4;
/** Minimum pixels of a flat area, at half the size of the search. */
export const minFlatAreaPixels = 400;
/** Minimum width of a flat area, at half the size of the search. */
export const minFlatAreaWidth = 40;
/** Minimum height of a flat area, at half the size of the search. */
export const minFlatAreaHeight = 14;
/** Minimum share of its box that a flat area fills. */
export const minFlatAreaFill = 0.35;
/** Maximum number of flat areas that are searched. */
export const maxFlatAreas = 12;
/** Noise of the border (standard deviation) above which candidate regions are searched at half the size again. */
export const noiseLimit = 7;
/** Maximum number of halvings against noise. */
export const maxNoiseLevel = 3;
/** Minimum shorter side that a halving against noise may leave. */
export const minHalvedSide = 32;
/** The block hash is computed from the first halving whose longest side is below this; at 512 it takes 0.9 ms. */
export const blockHashSide = 512;

/** Color distance from the background up to which a pixel is background. */
export const foregroundFloor = 12;
/** Share of the full foreground level that a pixel must exceed to be foreground. */
export const foregroundShare = 0.2;
/** Multiple of the background's noise that a foreground pixel must exceed. */
export const foregroundNoiseFactor = 4.5;
/** Percentile of the distances above the floor that defines the full foreground level. */
export const foregroundPercentile = 0.9;

/** Thickness of the border ring, as a share of the shorter side; at least 1 pixel. */
export const ringShare = 0.01;
/** Maximum number of ring pixels in a fit. */
export const maxRingSamples = 640;
/** Color distance within which a ring pixel fits the background. */
export const ringTolerance = 14;
/** Minimum share of the ring that a gradient must fit to be a background. */
export const minSlopedShare = 0.9;
/** Minimum share of the ring that must fit one background for a frame to be stripped. */
export const frameShare = 0.75;
/** Maximum number of nested frames that are stripped. */
export const maxFrames = 2;
/** Minimum color distance between a frame and the background around it. */
export const minFrameContrast = 16;

/** Minimum side of a box that is searched for panels, at the size of the search. */
export const minPanelSide = 90;
/** Minimum share of a box's border that the color of a panel covers. */
export const minPanelBorderShare = 0.2;
/** Minimum share of each row and column of a panel that has its color. */
export const minPanelCoverage = 0.3;
/** Maximum thickness of a line that crosses a panel. */
export const maxPanelBridge = 6;

/** Minimum share of the foreground that the main color must cover for a box of its own. */
export const minLayerShare = 0.5;
/** Distance from the main color within which a pixel belongs to its layer. */
export const layerTolerance = 40;
/** Maximum area of that box, as a share of the box of the whole foreground. */
export const maxLayerArea = 0.95;

/** Minimum width of an empty gap that cuts a region, as a share of the region's shorter side. */
export const minGapShare = 0.025;
/** Minimum width of an empty gap, at the size of the search. */
export const minGapPixels = 2;
/** Height below which a line may be text, at the size of the search; text is cut only at wide gaps. */
export const maxTextHeight = 40;
/** Minimum gap in a line of text, as a share of its height: wider than the space between words. */
export const minTextGap = 0.2;
/** Minimum share of a region's border that must fit a background of its own. */
export const refineShare = 0.85;
/** Gaps of at least this share of the widest gap along an axis cut in the same step. */
export const gapRatio = 0.5;
/** Maximum number of nested cuts. */
export const maxCutDepth = 6;
/** Maximum number of candidate regions that are searched in a picture. */
export const maxSearchedRegions = 70;
/** Maximum number of candidate regions that are described, of a picture that is not taller than wide. */
export const maxRegions = 35;
/** Maximum number of candidate regions that are described, of a tall picture: in proportion to its height. */
export const maxTallRegions = 100;
/** Height of a candidate region below which a wide one is text: described after the others. */
export const maxWordHeight = 24;
/** Width over height above which a low candidate region is text. */
export const minWordAspect = 1.8;
/** Minimum side of a candidate region, at the size of the search. */
export const minRegionSide = 9;
/** Maximum ratio of the longer to the shorter side of a candidate region. */
export const maxRegionElongation = 9;

/** Side of the patch of a view. */
export const patchSide = 64;
/** Empty margin inside a patch, so that edges at its border have gradients. */
export const patchMargin = 4;

/** Padding around a queried logo, as a share of its longer side. */
export const queryPadding = 0.1;
/** Longest side of a queried logo while its views are made. */
export const querySide = 256;
/** Rotations of a queried logo in both directions, in degrees. */
export const queryRotations = [3, 6, 9] as const;
/** Crops of a queried logo: shares cut off at the left, top, right and bottom. */
export const queryCrops = [
  [0.1, 0, 0, 0],
  [0.2, 0, 0, 0],
  [0, 0, 0.1, 0],
  [0, 0, 0.2, 0],
  [0, 0.1, 0, 0],
  [0, 0.2, 0, 0],
  [0, 0, 0, 0.1],
  [0, 0, 0, 0.2],
  [0.05, 0.05, 0.05, 0.05],
] as const;
/** Views of one aspect whose prefilter hashes differ by at most this many bits are duplicates. */
export const maxDuplicateDistance = 4;

/** Maximum Hamming distance (of 256 bits) between the prefilter hashes of two views that are compared. */
export const maxPrefilterDistance = 80;
/** How far a frequency must exceed the median to set its bit, as a share of the strong frequencies. */
export const prefilterDeadZone = 0.1;
/** Maximum difference between the aspects of two views that are compared, in octaves. */
export const maxAspectOctaves = 2;

/** Similarity to a common shape above which a view is less distinctive. */
export const commonShapeFloor = 0.7;
/** Maximum distance between prefilter hashes of a view and a common shape; farther shapes stay below the floor. */
export const maxCommonShapeDistance = 100;
/** Cost per unit of similarity above the floor. */
export const commonShapeCost = 0.4;
/** Similarity to a common shape above which a view is such a shape: any other disc, tile or letter matches it. */
export const plainShapeFloor = 0.88;
/** Cost per unit of similarity above that floor, besides `commonShapeCost`. */
export const plainShapeCost = 1;
/** Spread of a view's gradients below which the view is simple. */
export const fullSpread = 128;
/** Cost of each halving of the spread below `fullSpread`. */
export const lowSpreadCost = 0.06;
/** Cost of each octave by which the aspects of two views differ. */
export const aspectCost = 0.03;

/** Brightness of the visible part above which a transparent picture is composited on the dark matte. */
export const brightLogoLevel = 200;
/** Gray level of the dark matte. */
export const darkMatte = 34;

/** Side of the thumbnail of the whole picture. */
export const thumbnailSide = 16;
/** Side of the thumbnail in an index, and minimum cells along a side of the thumbnails that identify copies. */
export const coarseThumbnailSide = 4;
/** Minimum pixels of a picture along each side of a thumbnail cell that identifies copies. */
export const copyPixelsPerCell = 2;
/** Minimum contrast of a thumbnail that identifies copies. */
export const minCopyContrast = 1;
/**
 * Maximum difference between the thumbnails of two copies, as a share of their contrast. Of 329,430 pairs of different
 * logos on one background the closest differed by 0.6; 98 % of copies of at least 32 pixels are within 0.29, of at
 * least 64 within 0.17.
 */
export const maxCopyDistance = 0.3;
/** The same, for pictures whose views have at least `similarCopySimilarity` before costs. */
export const maxSimilarCopyDistance = 0.5;
/** Similarity of two views, before costs, above which the larger distance applies. */
export const similarCopySimilarity = 0.85;
/** Score of a copy without any difference, and at `maxSimilarCopyDistance`. */
export const copyScores = [0.99, 0.9] as const;

/** Maximum share of a page that a region covers, and maximum width over its height, when it needs support of the dense search. */
export const maxSupportedShare = 0.1;
export const maxSupportedAspect = 3;
/** Share of the smaller box that a region and a place have in common when the place supports the region. */
export const minSharedPart = 0.5;
/** Maximum score of a region by the score of the dense search there, piecewise linear. */
export const supportedScores = [
  [0, 0.5],
  [0.7, 0.85],
  [0.8, 1],
] as const;
/** Score of a region above which the rest is added: hardly any letter of a text is so similar, and small logos have less support. */
export const freeScore = 0.93;

/**
 * Score by raw similarity, piecewise linear. 0.75 is a false-alarm rate of at most 5e-4, 0.85 one of at most 5e-5: half
 * of the documented rates, because the dense search has the other half; a score of 1 is
 * reserved for equal pixels.
 */
export const scoreBreakpoints = [
  [0, 0],
  [0.6, 0.4],
  [0.7, 0.6],
  [0.835, 0.75],
  [0.864, 0.85],
  [0.92, 0.92],
  [1, 0.995],
] as const;
