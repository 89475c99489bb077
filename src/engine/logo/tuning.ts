/**
 * Every number of the logo pipeline that was tuned, in one place. All of it is `chosen`.
 *
 * The numbers of comparing pictures as a whole; those of the dense search are in `dense/dense-tuning.ts`. They were fixed
 * on the tuning parts of the evaluation (`npm run bench -- logos`), never on the held-out parts.
 *
 * Units: sides in pixels; color distances on the scale of 0 to 255; shares 0 to 1.
 */

/** Width of the working picture, and height of a wide one; larger pictures are averaged down to it, which takes longest. */
export const workingSide = 1440;
/** Maximum height of the working picture as a multiple of `workingSide`: pages are taller than wide. */
export const workingHeights = 4;
/** Whether a picture has one color is decided at the first halving whose longest side is below this. */
export const solidSide = 512;

/** Maximum difference of a pixel of a picture of one color from its mean color, in each channel. */
export const solidTolerance = 12;

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
/** Score of a copy without any difference, and at `maxCopyDistance`. */
export const copyScores = [0.99, 0.9] as const;

/** Share of the stored pictures of a piece of lookback that is searched densely, whatever is found. */
export const searchedShare = 0.1;
/** Quantile of the cosines of a template that is one unit above their median. */
export const rankedQuantile = 0.9;
/** Bits of 256 by which the block hashes of two states of one page differ at most. */
export const maxAlikeBits = 10;
/** Levels from the median of its band from which a block is clearly brighter or darker. */
export const clearLevels = 8;
/** Share of the clear blocks of two copies that differ at most. */
export const maxDifferentBlocks = 0.2;
