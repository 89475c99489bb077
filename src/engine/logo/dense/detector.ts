/** A compiled detector of a queried logo: its templates, and what they reach in pictures of common things and of text. */

import { runSteps, type Steps } from "../../../core/work/steps.ts";
import type { Raster } from "../decode/picture.ts";
import { type ColorGrid, type ColorMatch, colorGridOf, noColorMatch } from "../features/color-agreement.ts";
import { ownLetters } from "../text/own-letters.ts";
import { textDrawings } from "../text/text-pictures.ts";
import { calibrationDrawings } from "./calibration-pictures.ts";
import { cutPartsSteps, type PartName } from "./cutout/cut-parts.ts";
import { type Cutout, cutOutSteps, rotateCutout } from "./cutout/cutout.ts";
import { resampleSteps } from "./cutout/resample.ts";
import {
  calibrationFloor,
  calibrationShare,
  colorGain,
  colorRange,
  colorRelief,
  detectorVersion,
  maxUnevenness,
  ownColorGain,
  ownColorRange,
  partCosts,
  plainSilhouette,
  rotationDegrees,
  smallCost,
  textAllowance,
} from "./dense-tuning.ts";
import { findPlacesSteps, type Place, type PlacesByKind } from "./find-best.ts";
import { keepWorkspace, takeWorkspace } from "./kernels/idle-workspace.ts";
import { type KeptPicture, keptPicture } from "./kernels/kept-picture.ts";
import type { Workspace } from "./kernels/kernels.ts";
import { type PreparedPage, prepareSteps } from "./prepare-page.ts";
import { type Template, type TemplateKind, templateSteps } from "./templates.ts";

/** The best values of templates of each kind. */
type BestValues = Record<TemplateKind, number>;

/** The best values of a logo in the calibration pictures; stored with the logo. */
export interface DenseCalibration {
  /** Version of the detector that computed the numbers; those of another version are computed again. */
  readonly version: number;
  /** Best value of all edges of the logo, at most 1. */
  readonly full: number;
  /** Best value of its silhouette, at most 1; 0 without silhouette. */
  readonly silhouette: number;
  /** Best value of all edges of the logo in pictures of text, at most 1. */
  readonly textFull: number;
  /** Best value of its silhouette in pictures of text, at most 1; 0 without silhouette. */
  readonly textSilhouette: number;
  /** The best values of its large templates in the calibration pictures; those of all when absent. */
  readonly large?: BestValues;
  /** The same of the symbol and of the word of a lock-up, which are searched besides the whole. */
  readonly parts?: readonly Omit<DenseCalibration, "version" | "parts">[];
}

/** The templates of a logo, or of a part of it. */
interface TemplateSet {
  /** None when it has no edges. */
  readonly templates: readonly Template[];
  /** The colors of a logo that is not gray. */
  readonly colors?: ColorGrid | undefined;
}

/** A part of a lock-up that is searched besides the whole. */
interface DetectorPart extends TemplateSet {
  readonly name: PartName;
}

/** A logo that can be searched in prepared pages. */
export interface Detector extends TemplateSet {
  /** Best values in the calibration pictures, to store with the logo. */
  readonly calibration: DenseCalibration;
  /** The symbol and the word of a lock-up. */
  readonly parts?: readonly DetectorPart[];
}

/** A logo that is searched, or a part of one. */
export interface SearchedLogo extends TemplateSet {
  readonly calibration: Omit<DenseCalibration, "version" | "parts">;
  /** Which part of the logo it is. */
  readonly part?: PartName;
}

/** Options of a detector. */
export interface DetectorOptions {
  /** Also search the logo rotated by about 16 degrees; takes three times as long. False by default. */
  readonly rotations?: boolean;
  /** Numbers of an earlier compilation; used when they are of this version. */
  readonly calibration?: DenseCalibration | undefined;
}

/** Compiles the detector of a queried logo. */
export function compileDetector(logo: Raster, options: DetectorOptions = {}): Detector {
  return runSteps(compileSteps(logo, options));
}

/** Compiles a detector in steps. */
export function* compileSteps(logo: Raster, options: DetectorOptions = {}): Steps<Detector> {
  const cutout = yield* cutOutSteps(logo);
  const templates = cutout ? [...(yield* templateSteps(cutout))] : [];
  if (cutout && options.rotations) {
    for (const degrees of [rotationDegrees, -rotationDegrees]) {
      templates.push(...(yield* templateSteps(rotateCutout(cutout, degrees))));
    }
  }
  const cut = cutout && templates.length > 0 ? yield* cutPartsSteps(cutout) : [];
  const parts: DetectorPart[] = [];
  for (const { name, cutout: part } of cut) {
    parts.push({ name, templates: yield* templateSteps(part), colors: colorGridOf(part) });
  }
  const detector = { templates, colors: cutout && colorGridOf(cutout), parts };
  const { calibration } = options;
  if (calibration?.version === detectorVersion) return { ...detector, calibration };
  const searched = [templates, ...parts.map((part) => part.templates)];
  const cutouts = cutout && templates.length > 0 ? [cutout, ...cut.map((part) => part.cutout)] : [];
  return { ...detector, calibration: yield* calibrate(searched, cutouts) };
}

const commonPictures = calibrationDrawings.map(keptPicture);
let textPages: readonly KeptPicture[] | undefined;

function pagesOfText(): readonly KeptPicture[] {
  textPages ??= textDrawings().map(keptPicture);
  return textPages;
}

/** The best values of a logo and of its parts, each given as its templates and as its cutout. */
function* calibrate(
  [whole = [], ...parts]: readonly (readonly Template[])[],
  cutouts: readonly Cutout[],
): Steps<DenseCalibration> {
  const searched = [whole, ...parts];
  const large = searched.map((templates) => templates.filter((template) => template.large));
  const noValues = (): BestValues => ({ full: 0, silhouette: 0 });
  const drawn = [...searched, ...large].map(noValues);
  const text = searched.map(noValues);
  if (cutouts.length > 0) {
    let reuse = yield* searchAll([...searched, ...large], commonPictures, drawn, takeWorkspace());
    reuse = yield* searchAll(searched, pagesOfText(), text, reuse);
    for (const [i, cutout] of cutouts.entries()) {
      const own = yield* ownLettersOf(cutout);
      const only = searched.map((templates, n) => (n === i ? templates : []));
      if (own) reuse = yield* searchAll(only, [own], text, reuse);
    }
    keepWorkspace(reuse);
  }
  const valuesOf = (i: number) => ({
    full: drawn[i]?.full ?? 0,
    silhouette: drawn[i]?.silhouette ?? 0,
    textFull: text[i]?.full ?? 0,
    textSilhouette: text[i]?.silhouette ?? 0,
    large: drawn[searched.length + i] ?? noValues(),
  });
  const numbers = { version: detectorVersion, ...valuesOf(0) };
  return parts.length === 0 ? numbers : { ...numbers, parts: parts.map((_, i) => valuesOf(i + 1)) };
}

/** Raises the best values of logos to those that their templates reach in pictures. */
function* searchAll(
  searched: readonly (readonly Template[])[],
  pictures: Iterable<Raster | KeptPicture>,
  best: readonly BestValues[],
  workspace: Workspace | undefined,
): Steps<Workspace | undefined> {
  let reuse = workspace;
  for (const picture of pictures) {
    const page: PreparedPage = yield* typeof picture === "function"
      ? picture(reuse)
      : prepareSteps(picture, { reuse });
    reuse = page;
    const places = yield* findPlacesSteps(page, searched);
    for (const [i, values] of best.entries())
      for (const kind of ["full", "silhouette"] as const)
        values[kind] = Math.max(values[kind], ...(places[i]?.[kind] ?? []).map(placeValue));
  }
  return reuse;
}

/** Height of the logo when its letters are read, and maximum width. */
const letterSide = [64, 256] as const;

function* ownLettersOf(cutout: Cutout): Steps<Raster | undefined> {
  const [height, maxWidth] = letterSide;
  const width = Math.min(maxWidth, Math.max(1, Math.round((cutout.width * height) / cutout.height)));
  const { data } = yield* resampleSteps(cutout, width, height);
  const alphaAt = (x: number, y: number) => data[4 * (y * width + x) + 3] ?? 0;
  return ownLetters({ width, height, alphaAt });
}

/** The value of a place before calibration, at most 1. */
export function placeValue({ blocks, lowest, inside, whole, fit }: Place): number {
  return (blocks + lowest + inside + whole) / 4 - (fit.template.small ? smallCost : 0);
}

/** The whole logo and its parts, each as it is searched. */
export function searchedLogos(detector: Detector): readonly SearchedLogo[] {
  const parts = (detector.parts ?? []).flatMap((part, i): readonly SearchedLogo[] => {
    const calibration = detector.calibration.parts?.[i];
    return calibration ? [{ ...part, calibration, part: part.name }] : [];
  });
  return [detector, ...parts];
}

/** The templates that can have the best place: not those of a silhouette that is a disc or a tile. */
export function searchedTemplates({
  templates,
  calibration,
}: Pick<SearchedLogo, "templates" | "calibration">): readonly Template[] {
  return isPlainLogo(calibration) ? templates.filter(({ kind }) => kind === "full") : templates;
}

/** Whether the silhouette of a logo is a disc or a tile, which is not searched. */
export function isPlainLogo({ silhouette }: Pick<DenseCalibration, "silhouette">): boolean {
  return silhouette >= plainSilhouette;
}

/** The best value of the searched templates of a logo in pictures of text. */
export function textValue(
  calibration: Pick<DenseCalibration, "silhouette" | "textFull" | "textSilhouette">,
): number {
  const { textFull, textSilhouette } = calibration;
  return isPlainLogo(calibration) ? textFull : Math.max(textFull, textSilhouette);
}

/** The kind of a template, and whether only what large templates reach in the pictures of common things is subtracted. */
type CostedTemplate = Pick<Template, "kind" | "large">;

/**
 * The cost of a place of a template: that of the pictures of common things, or that of text if it is larger. A place with the
 * logo's colors costs less, as common things have them seldom, but not less than text where the logo resembles it; only what text costs
 * more than common things is not paid where several colors agree.
 */
export function calibrationCost(
  calibration: SearchedLogo["calibration"],
  template: CostedTemplate,
  colors: ColorMatch = noColorMatch,
): number {
  const several = shareOf(colors.agreement, colorRange);
  const drawn = coloredCost(calibration, template, colors);
  return drawn + (1 - several) * Math.max(0, textCost(calibration, template) - drawn) - several * colorGain;
}

/** The cost of the pictures of common things at a place of these colors. */
function coloredCost(
  calibration: SearchedLogo["calibration"],
  template: CostedTemplate,
  { agreement, distance }: ColorMatch,
): number {
  const common = drawnCost(calibration, template);
  const relief = colorRelief * (common - calibrationShare * calibrationFloor);
  const lowered =
    common - shareOf(agreement, colorRange) * relief - shareOf(distance, ownColorRange) * ownColorGain;
  // A white letter on a button has two colors, too.
  return Math.max(lowered, Math.min(common, textCost(calibration, template)));
}

function textCost(
  { textFull, textSilhouette }: SearchedLogo["calibration"],
  { kind }: CostedTemplate,
): number {
  return (kind === "full" ? textFull : textSilhouette) - textAllowance;
}

/** The place of a value between two others, from 0 at the first to 1 at the second. */
function shareOf(value: number, [none, all]: readonly [none: number, all: number]): number {
  return Math.min(1, Math.max(0, (value - none) / (all - none)));
}

/** The cost of the pictures of common things. */
function drawnCost(calibration: SearchedLogo["calibration"], { kind, large }: CostedTemplate): number {
  const { [kind]: best } = large ? (calibration.large ?? calibration) : calibration;
  return calibrationShare * Math.max(calibrationFloor, best);
}

/** A place of a logo, and its value after calibration. */
export interface CalibratedPlace {
  readonly place: Place;
  readonly value: number;
}

/**
 * The places of a logo after calibration, in no order.
 *
 * @param colorsOf compares the logo's colors with those of a box
 */
export function calibratedPlaces(
  places: PlacesByKind,
  { calibration, part }: Pick<SearchedLogo, "calibration" | "part">,
  colorsOf: (box: Place["box"]) => ColorMatch,
): readonly CalibratedPlace[] {
  const kinds: readonly TemplateKind[] = isPlainLogo(calibration) ? ["full"] : ["full", "silhouette"];
  return kinds.flatMap((kind) =>
    places[kind].map((place) => {
      const value = placeValue(place);
      const { small, large } = place.fit.template;
      const template = { kind, large: large && place.whole - place.lowest <= maxUnevenness };
      // The colors of a place that is found by no cost are not read.
      const colors = value < drawnCost(calibration, template) ? noColorMatch : colorsOf(place.box);
      const cost = calibrationCost(calibration, template, colors) + (part ? partCosts[part] : 0);
      // Small places are similar to more things, but seldom in the colors of a logo of several: they are freed once of the two costs.
      const lowered = drawnCost(calibration, template) - coloredCost(calibration, template, colors);
      const several = shareOf(colors.agreement, colorRange);
      const freed = small && !part ? Math.max(0, smallCost * several - lowered) : 0;
      return { place, value: value - cost + freed };
    }),
  );
}
