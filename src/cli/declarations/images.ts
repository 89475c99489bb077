/** `edgeproof images`: its subcommands, which render pictures and sign their addresses. */
import { isTolerance, maxTolerance } from "../../core/tolerance.ts";
import { parseTimestamp } from "../../service/time.ts";
import { UsageError } from "../command.ts";
import { choice, declare, file, flag, integer, paths, single, text } from "../declare.ts";
import { keyOptions } from "../options/keys.ts";
import { acceptOptions, jsonOption } from "../options/output.ts";

const fits = ["scale-down", "contain", "cover", "crop", "pad"] as const;
/** Sides of a box, in pixels; the command checks the options of a variant again. */
const box = { min: 1, max: 12_000 } as const;
const metadataModes = ["keep", "copyright", "none"] as const;

export const render = declare({
  name: "images render",
  summary: "Render an image file through a variant or a list of options.",
  about: [
    "Works like a request for a delivered image: the file is validated as an upload, rendered with the options of the variant, and encoded for the Accept header. A file that would be rejected is rejected with the reason. With --options it works like an address of a transformation, whose source is no upload.",
    "Of a folder, or with --variants, --html or --check, <out> is a folder: every picture, those of subfolders included, is rendered through every variant, several at a time. The outputs keep their folders, and are named after the variant: a.jpg is a-thumb.jpg, or as WebP a.jpg-thumb.webp. With --check, pictures are compared with approved ones by their perceptual difference, alpha included; another size, a missing file, or an approved picture that no input of the folder has, fails.",
  ],
  arguments: {
    usage: "<file or folder> <out>",
    min: 2,
    max: 2,
    expected: "the file or folder to read and the one to write",
  },
  options: {
    fit: choice(fits, "How the picture fits the box. Default scale-down."),
    width: integer("pixels", box, "Width of the box. Default: follows the height."),
    height: integer("pixels", box, "Height of the box. Default: follows the width."),
    metadata: choice(metadataModes, "The EXIF data that is kept. Default copyright."),
    options: text(
      "list",
      "Options of a transformation, as in its address, instead of those of a variant: w=400,fit=cover,f=webp.",
    ),
    accept: text(
      "types",
      "The request's Accept header. Default: the type of <out>, by its extension; of a folder, none.",
    ),
    variants: file("Variants by name, as JSON or YAML, instead of the options of one."),
    html: paths(text("file", "Also write a page with the pictures before and after."), "write-folder"),
    check: paths(
      text("folder", "Compare the outputs with the approved pictures in a folder."),
      "write-folder",
    ),
    update: flag(
      "With --check: write the approved pictures that differ or are missing, and rename those with names of earlier versions.",
    ),
    prune: flag(
      "With --check: remove the approved pictures that no picture of this run has, and list them. Nothing is removed after a stop, a rejected file, or without a picture.",
    ),
    tolerance: single(
      "factor",
      "With --check: factor of the maximum differences, 0 (equal pixels) to 20. Default 1.",
      readTolerance,
    ),
    all: flag("Of a folder, also read hidden files and folders, and symbolic links that lead out of it."),
    ...acceptOptions,
    ...jsonOption,
  },
  exits: {
    0: "The files were written, and with --check look like the approved ones.",
    1: "Of a folder or with --check: a file was rejected, differs from the approved one, or has none; an approved one was not rendered; or there was no picture to check.",
    130: "Stopped (Ctrl-C); the files until then are written, and no page.",
  },
  examples: [
    "edgeproof images render in.jpg out.webp --fit cover --width 256 --height 256",
    "edgeproof images render photos/ out/ --variants variants.json --html contact-sheet.html",
    "edgeproof images render photos/ out/ --variants variants.json --check golden/ --update",
    "edgeproof images render in.jpg out.jpg --width 800 --metadata copyright",
    "edgeproof images render in.png out.avif --width 800 --accept 'image/avif,image/webp'",
    "edgeproof images render in.jpg out.webp --options w=400,h=300,fit=cover,f=webp",
  ],
  schema: "render",
  conflict: ({ variants, check, options, ...rest }) => {
    const given = (["fit", "width", "height", "metadata"] as const).find((name) => rest[name] !== undefined);
    const other = given ?? (variants === undefined ? undefined : "variants");
    if (options !== undefined && other) return `--options replaces --${other}; give only one of them`;
    if (variants !== undefined && given) return `--variants replaces --${given}; give only one of them`;
    if (check !== undefined) return undefined;
    const needs = (["update", "prune", "tolerance"] as const).find(
      (name) => rest[name] !== undefined && rest[name] !== false,
    );
    return needs && `--${needs} needs --check with a folder`;
  },
});

function readTolerance(word: string, name: string): number {
  const value = /^\d{1,2}(\.\d{1,6})?$/.test(word) ? Number(word) : Number.NaN;
  if (isTolerance(value)) return value;
  throw new UsageError(`${name} must be a number from 0 to ${maxTolerance}; found \`${word}\``);
}

export const sign = declare({
  name: "images sign",
  summary: "Sign the delivery address of an image.",
  about: ["For images that require signatures. An `exp` or `sig` of the address is replaced."],
  arguments: { usage: "<url>", min: 1, max: 1, expected: "1 address to sign" },
  options: {
    ...keyOptions,
    expires: single(
      "time",
      "When the address expires: a duration such as 90s, 15m, 1h or 7d, or an RFC 3339 time. Default: never.",
      readExpiry,
    ),
    ...jsonOption,
  },
  exits: {
    0: "The signed address was printed.",
  },
  examples: [
    "edgeproof images sign https://images.example.com/hash/id/public --key-env SIGNING_KEY --expires 1h",
    "edgeproof images sign /cdn-cgi/imagedelivery/hash/id/public --key - --expires 2026-12-31T00:00:00Z < key.txt",
  ],
  schema: "sign",
  conflict: ({ key, keyEnv }) => {
    if (key !== undefined && keyEnv !== undefined)
      return "--key and --key-env are both given; only one of them is allowed";
    if (keyEnv === "") return "--key-env must be the name of an environment variable; it is empty";
    if (key || keyEnv !== undefined) return undefined;
    return "--key must be the value of a signing key, or `-` for standard input, or use --key-env; it is missing";
  },
});

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds since 1970. */
function readExpiry(word: string, name: string): number {
  const [, count, unit = ""] = /^(\d{1,7})([smhd])$/.exec(word) ?? [];
  const seconds = unitSeconds[unit];
  if (seconds !== undefined) return Math.floor(Date.now() / 1000) + Number(count) * seconds;
  const time = parseTimestamp(word);
  if (time !== undefined && time >= 0) return Math.floor(time / 1000);
  throw new UsageError(
    `${name} must be a duration such as 90s, 15m, 1h or 7d, or an RFC 3339 time; found \`${word}\``,
  );
}
