/**
 * Every number of the logo pipeline that was chosen rather than given, in one place.
 *
 * How they were fixed: on the tuning half of the evaluation (`npm run bench:logos`), never on the other half.
 * Sizes and gates were fixed first by recall at a false-alarm rate of 1e-4; `scoreKnots` came last, from the
 * raw scores that the tuning half's negatives reach. All of it is `chosen`.
 */

/** Longest side of the working picture, in pixels; larger pictures are averaged down to it. */
export const workSide = 1280;
/** Longest side, in pixels, up to which sights are sought at full size; above it at half. */
export const sightSide = 400;
/** Noise of the border (standard deviation, of 255) above which sights are sought at half the size again. */
export const noiseLimit = 7;
/** Most halvings, and least shorter side in pixels, for the sake of calm. */
export const noisyLevel = 3;
export const calmSide = 32;
/** Pictures are halved until their longest side, in pixels, is below this for the block hash, which takes 0.9 ms at 512. */
export const blockHashSide = 512;

/** A colour distance (of 255) from the background below which a pixel is background. */
export const inkFloor = 12;
/** Share of the strong foreground level that a pixel needs to count when a box is trimmed. */
export const inkShare = 0.2;
/** A pixel must stand out of the background by this many times the background's own noise. */
export const inkNoiseFactor = 4.5;
/** Percentile of the pixels above the floor that is taken as full foreground. */
export const inkPercentile = 0.9;

/** Thickness of the border ring, as a share of the shorter side; at least 1 pixel. */
export const ringShare = 0.01;
/** Most ring pixels that take part in a fit. */
export const ringSamples = 640;
/** Colour distance within which a ring pixel follows the fitted background. */
export const ringTolerance = 14;
/** Share of the ring that has to follow one background for a frame to be peeled off. */
export const peelShare = 0.75;
/** Most frames that are peeled off one inside another. */
export const peelLimit = 2;
/** Least colour distance between a frame and what it frames. */
export const peelContrast = 16;

/** Least side, in pixels of the picture where sights are sought, of a box that may be put together of panels. */
export const panelSide = 90;
/** Least share of a box's border that a panel's colour has. */
export const panelShare = 0.2;
/** Share of each row and column of a panel that has its colour. */
export const panelCover = 0.3;
/** Thickness, in pixels, of what may lie right across a panel. */
export const panelBridge = 6;

/** Share of the ink that one colour has to have for a box of its own, and how far (of 255) a pixel may be from it. */
export const layerShare = 0.5;
export const layerTolerance = 40;
/** Most area of that box, as a share of the box of all ink. */
export const layerArea = 0.95;

/** Least width of an empty gap that cuts a region, as a share of its shorter side. */
export const gapShare = 0.025;
/** Least width of an empty gap in pixels of the working picture. */
export const gapPixels = 2;
/** Lines lower than this, in pixels of the picture where sights are sought, may be text: they are cut only at wide gaps. */
export const textHeight = 40;
/** Least gap in such a line, as a share of its height: wider than between words. */
export const textGap = 0.45;
/** Share of a region's border that has to follow a background of its own. */
export const settleShare = 0.85;
/** Of the gaps along an axis, those at least this share of the widest cut together. */
export const gapTogether = 0.5;
/** Most cuts one inside another. */
export const cutDepth = 6;
/** Most regions of one scanned picture. */
export const regionLimit = 20;
/** Least side of a region in pixels of the working picture. */
export const regionSide = 9;
/** Longest strip that is still a region: longer side over shorter side. */
export const regionStrip = 9;

/** Side of a view's patch, and of the empty margin in it, so that edges at the border have gradients. */
export const patchSide = 64;
export const patchMargin = 4;

/** Share of a side that is added around a queried logo. */
export const queryPadding = 0.1;
/** Longest side of a queried logo while its views are made, in pixels. */
export const querySide = 256;
/** Rotations of a queried logo, in degrees, either way. */
export const queryRotations = [3, 6, 9] as const;
/** Crops of a queried logo: shares taken off at the left, top, right and bottom. */
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
/** Two views whose gates differ by at most this many bits, of the same aspect, are one. */
export const sameViewBits = 4;

/** Bits (of 256) by which the gates of two views may differ. */
export const gateBits = 80;
/** How far a frequency has to clear the median for its bit, as a share of the strong ones. */
export const gateDeadZone = 0.1;
/** Most difference of two views' aspect ratios, as a power of two. */
export const aspectOctaves = 2;

/** Likeness to a stock shape above which a view is held less distinctive. */
export const stockFloor = 0.7;
/** Bits by which the gates of a view and a stock shape may differ; a shape further off is not as alike as the floor. */
export const stockBits = 100;
/** What each unit of likeness above the floor costs. */
export const stockCost = 0.4;
/** Spread of a view's gradients below which it is held simple, and what each halving of it costs. */
export const richSpread = 128;
export const simpleCost = 0.06;
/** What each octave costs by which two views' aspect ratios differ. */
export const aspectCost = 0.03;

/** Brightness (0 to 255) of the visible part above which a transparent picture is laid on the dark. */
export const brightLogo = 200;
/** The dark that bright transparent pictures are laid on. */
export const darkBackground = 34;

/** Side of the whole-picture thumbnail. */
export const thumbSide = 16;
/** Side of the thumbnail that an index keeps, and the least cells along a side that copies are told by. */
export const coarseSide = 4;
/** Pixels that a cell of a thumbnail has along a side for copies to be told by it. */
export const copySamples = 2;
/** Least contrast of a thumbnail, of 255, that copies are told by. */
export const copyContrast = 1;
/**
 * Difference of two thumbnails, as a share of their contrast, up to which the pictures are copies; and the same where
 * their views are as alike before costs as `copyLikeness`. Of 329,430 pairs of different logos on one ground the
 * nearest was at 0.6; of copies of 32 pixels and more 98 % are within 0.29, of 64 and more within 0.17.
 */
export const copyReach = 0.3;
export const copyReachAlike = 0.5;
export const copyLikeness = 0.85;
/** Score of a copy, at no difference and at the furthest reach. */
export const copyScores = [0.99, 0.9] as const;

/** Raw likeness to score: piecewise linear. 0.75 is a false-alarm rate of 1e-3, 0.85 one of 1e-4; 1 is for equal pixels. */
export const scoreKnots = [
  [0, 0],
  [0.6, 0.4],
  [0.69, 0.6],
  [0.806, 0.75],
  [0.847, 0.85],
  [0.92, 0.92],
  [1, 0.995],
] as const;
