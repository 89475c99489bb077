/**
 * The options of transformations: one entry each, from which addresses, objects of Workers, the Images binding, random
 * values and pages derive. Options of stored variants are entries of `variant.ts`, used here. Sources: `observed`, from the
 * provider's documentation, types and clients; bounds without a source are chosen.
 */
import { allFits } from "../render/geometry.ts";
import { variantOptions } from "../render/variant.ts";
import { color } from "./color.ts";
import { border, trim } from "./edges.ts";
import { gravity } from "./gravity.ts";
import { choice, either, factor, flag, integer, number, type ValueKind } from "./values.ts";

/** Where an option can be written: an address, the object of `fetch` in a Worker, the binding, an overlay. */
export type Place = "address" | "fetch" | "binding" | "draw";

/** How closely the result is the provider's: the same, close to it, or without the effect of the option. */
export type Fidelity = "exact" | "approximate" | "none";

/** Everything about an option; an entry without one of the members does not compile. */
interface TransformOption<Value> {
  readonly kind: ValueKind<Value>;
  /** Other names; the first name counts when both are given. */
  readonly aliases: readonly string[];
  readonly places: readonly Place[];
  readonly fidelity: Fidelity;
  /** How it is rendered, for the reference. */
  readonly how: string;
  /** One sentence, for the reference. */
  readonly help: string;
}

const define = <Value>(option: TransformOption<Value>) => option;

const everywhere = ["address", "fetch", "binding", "draw"] as const;
const outputs = ["address", "fetch"] as const;

/** The qualities with a name (values of the vendor's local mock). */
const namedQualities = { low: 35, "medium-low": 50, "medium-high": 70, high: 90 } as const;

const qualityNumber = integer(1, 100);
const qualityOf = (value: unknown) =>
  typeof value === "string" && Object.hasOwn(namedQualities, value)
    ? namedQualities[value as keyof typeof namedQualities]
    : undefined;
const quality: ValueKind<number> = {
  allowed: `${qualityNumber.allowed}, or one of ${Object.keys(namedQualities).join(", ")}`,
  read: (value) => qualityNumber.read(value) ?? qualityOf(value),
  readText: (text) => qualityNumber.readText(text) ?? qualityOf(text),
};

const side = variantOptions.width.kind;
const breakpoints: ValueKind<readonly number[]> = {
  allowed: "ascending widths, separated by `;`",
  read: () => undefined,
  readText: (text) => {
    const widths = text.split(";").map((part) => side.readText(part));
    const known = widths.filter((width) => width !== undefined);
    const isAscending = known.every((width, i) => i === 0 || width > (known[i - 1] as number));
    return known.length === widths.length && isAscending ? known : undefined;
  },
};

/** The options. */
export const transformOptions = {
  width: define({
    kind: either(side, choice("auto")),
    aliases: ["w"],
    places: everywhere,
    fidelity: "exact",
    how: "resize",
    help: "Width of the box, in pixels; `auto`, in addresses, follows the client's hints.",
  }),
  height: define({
    kind: side,
    aliases: ["h"],
    places: everywhere,
    fidelity: "exact",
    how: "resize",
    help: variantOptions.height.help,
  }),
  dpr: define({
    kind: factor(true),
    aliases: [],
    places: ["address", "fetch", "binding"],
    fidelity: "exact",
    how: "multiplies sizes, trim and border; at most 3",
    help: "Pixels of the device for each pixel of the page.",
  }),
  fit: define({
    kind: choice(...allFits),
    aliases: [],
    places: everywhere,
    fidelity: "exact",
    how: "resize",
    help: variantOptions.fit.help,
  }),
  gravity: define({
    kind: gravity,
    aliases: ["g"],
    places: everywhere,
    fidelity: "approximate",
    how: "extract after resize; `auto` is attention, `entropy` entropy, `face` the center",
    help: "The part that a crop keeps: a side, a point, or what a search finds.",
  }),
  zoom: define({
    kind: number(0, 1),
    aliases: ["face-zoom"],
    places: everywhere,
    fidelity: "none",
    how: "faces are not searched",
    help: "How closely a crop follows a face.",
  }),
  trim: define({
    kind: trim,
    aliases: [],
    places: everywhere,
    fidelity: "exact",
    how: "extract; `border` is approximate",
    help: "What is cut off before anything else.",
  }),
  flip: define({
    kind: choice("h", "v", "hv"),
    aliases: [],
    places: everywhere,
    fidelity: "exact",
    how: "flip, flop",
    help: "Mirrors the image horizontally, vertically or both.",
  }),
  rotate: define({
    kind: choice(0, 90, 180, 270, 360),
    aliases: [],
    places: everywhere,
    fidelity: "exact",
    how: "rotate, before the resize",
    help: "Rotates clockwise, in degrees.",
  }),
  background: define({
    kind: color,
    aliases: [],
    places: everywhere,
    fidelity: "exact",
    how: "flatten; white around `pad` and under transparent pixels of JPEG",
    help: "Color under transparent pixels and around a padded image.",
  }),
  blur: define({
    kind: variantOptions.blur.kind,
    aliases: [],
    places: everywhere,
    fidelity: "approximate",
    how: "gaussian blur, sigma is half the radius",
    help: "Radius of the blur.",
  }),
  sharpen: define({
    kind: number(0, 10),
    aliases: [],
    places: everywhere,
    fidelity: "approximate",
    how: "sharpen with sigma 1, the value is the slope of jagged areas",
    help: "Strength of sharpening; 1 is usual for reduced images.",
  }),
  brightness: define({
    kind: number(0, 255),
    aliases: [],
    places: everywhere,
    fidelity: "approximate",
    how: "multiplies channels",
    help: "Factor of brightness; 1 and 0 change nothing.",
  }),
  contrast: define({
    kind: number(0, 255),
    aliases: [],
    places: everywhere,
    fidelity: "approximate",
    how: "multiplies distances from the middle grey",
    help: "Factor of contrast; 1 and 0 change nothing.",
  }),
  gamma: define({
    kind: factor(false),
    aliases: [],
    places: everywhere,
    fidelity: "approximate",
    how: "channels to this power; the provider's pages disagree on the direction, the newest counts",
    help: "Exponent of the channels; below 1 lightens, 1 and 0 change nothing.",
  }),
  saturation: define({
    kind: factor(false),
    aliases: [],
    places: everywhere,
    fidelity: "approximate",
    how: "mixes channels with their luminance of BT.709",
    help: "Factor of saturation; 0 is grey.",
  }),
  border: define({
    kind: border,
    aliases: [],
    places: ["fetch", "binding", "draw"],
    fidelity: "exact",
    how: "extend, after everything else",
    help: "A border around the image.",
  }),
  quality: define({
    kind: quality,
    aliases: ["q"],
    places: outputs,
    fidelity: "approximate",
    how: "the encoder's own scale; 100 in WebP is lossless, PNG gets a palette",
    help: "Quality of the output, 1 to 100, or a name.",
  }),
  "slow-connection-quality": define({
    kind: quality,
    aliases: ["scq"],
    places: ["address"],
    fidelity: "exact",
    how: "replaces the quality when the client's hints state a slow connection",
    help: "Quality for clients with a slow connection.",
  }),
  format: define({
    kind: choice("auto", "avif", "webp", "jpeg", "baseline-jpeg", "png", "png-force", "json", "svg"),
    aliases: ["f"],
    places: outputs,
    fidelity: "exact",
    how: "encoder; `svg` has no effect",
    help: "Format of the output; `auto` follows `Accept`, `json` describes the image.",
  }),
  metadata: define({
    kind: variantOptions.metadata.kind,
    aliases: [],
    places: outputs,
    fidelity: "exact",
    how: "as in variants",
    help: variantOptions.metadata.help,
  }),
  anim: define({
    kind: flag,
    aliases: [],
    places: outputs,
    fidelity: "exact",
    how: "frames",
    help: "Whether an animation keeps its frames.",
  }),
  compression: define({
    kind: choice("fast"),
    aliases: [],
    places: outputs,
    fidelity: "exact",
    how: "JPEG, or PNG with transparency",
    help: "Encodes fast, in a larger file.",
  }),
  onerror: define({
    kind: choice("redirect"),
    aliases: [],
    places: ["address"],
    fidelity: "exact",
    how: "302 to the source within the zone",
    help: "Redirects to the source when the transformation fails.",
  }),
  wbreakpoints: define({
    kind: breakpoints,
    aliases: [],
    places: ["address"],
    fidelity: "exact",
    how: "the next width for `width=auto`",
    help: "Widths that `width=auto` can have.",
  }),
  wmobile: define({
    kind: side,
    aliases: [],
    places: ["address"],
    fidelity: "exact",
    how: "width for `width=auto` without hints",
    help: "Width for phones.",
  }),
  wdesktop: define({
    kind: side,
    aliases: [],
    places: ["address"],
    fidelity: "exact",
    how: "width for `width=auto` without hints",
    help: "Width for other clients.",
  }),
  segment: define({
    kind: choice("foreground"),
    aliases: [],
    places: everywhere,
    fidelity: "none",
    how: "the background stays",
    help: "Keeps only the foreground.",
  }),
  upscale: define({
    kind: choice("interpolate", "generate"),
    aliases: [],
    places: everywhere,
    fidelity: "approximate",
    how: "cubic; `generate` is not simulated",
    help: "How an image is enlarged.",
  }),
} as const;

/** The name of an option. */
export type TransformOptionName = keyof typeof transformOptions;

/** The names of the options. */
export const transformOptionNames = Object.keys(transformOptions) as readonly TransformOptionName[];

/** The values of options. */
export type TransformOptions = {
  readonly [Name in TransformOptionName]?: (typeof transformOptions)[Name] extends {
    readonly kind: ValueKind<infer Value>;
  }
    ? Value
    : never;
};
