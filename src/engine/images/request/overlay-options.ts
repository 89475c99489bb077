/** The pictures that the object of `fetch` draws on an image: the members of each (`observed`). */
import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { problem, quote } from "../../../errors.ts";
import type { TextPicture } from "../text/lay-out.ts";
import { readText, textOptionNames } from "../text/read-text.ts";
import type { TransformOptions } from "../transform/options.ts";
import type { OverlayPlacement } from "../transform/overlays.ts";
import { readOptionObject } from "../transform/read-options.ts";
import { placementNames, readPlacement } from "../transform/read-placement.ts";

/** A picture to draw, or the picture of a text. */
export interface OverlayRequest {
  /** Its URL, or its text. */
  readonly picture: { readonly url: string } | { readonly text: TextPicture };
  readonly options: TransformOptions;
  readonly placement: OverlayPlacement;
  /** Sides as shares of the image's, above 0 and below 1. */
  readonly shares: { readonly width?: number; readonly height?: number };
}

/** The pictures to draw, in their order, and what has no effect. */
export interface ReadOverlays {
  readonly overlays: readonly OverlayRequest[];
  readonly warnings: readonly string[];
}

/** Maximum number of pictures (chosen). */
const maxOverlays = 32;

/** Reads the array `draw`. Problems have code 9401. */
export function readOverlays(value: unknown): Result<ReadOverlays> {
  if (value === undefined || value === null) return success({ overlays: [], warnings: [] });
  if (!Array.isArray(value) || value.length > maxOverlays)
    return failure(
      problem(9401, `\`draw\` must be an array of at most ${maxOverlays} objects; found ${quote(value)}.`),
    );
  const overlays: OverlayRequest[] = [];
  const warnings: string[] = [];
  for (const element of value) {
    const read = readOverlay(element);
    if (!read.ok) return read;
    overlays.push(read.value.overlay);
    warnings.push(...read.value.warnings);
  }
  return success({ overlays, warnings });
}

function readOverlay(
  value: unknown,
): Result<{ readonly overlay: OverlayRequest; readonly warnings: readonly string[] }> {
  if (!isJsonObject(value))
    return failure(problem(9401, `An element of \`draw\` must be an object; found ${quote(value)}.`));
  const { url, text, ...rest } = value;
  const read = readPicture(url ?? undefined, text ?? undefined, rest);
  if (!read.ok) return read;
  const { picture, members, warnings } = read.value;
  const placement = readPlacement(members);
  if (!placement.ok) return placement;
  const isShare = (name: "width" | "height") => {
    const side = members[name];
    return typeof side === "number" && side > 0 && side < 1;
  };
  const names = (["width", "height"] as const).filter(isShare);
  const others = Object.entries(members).filter(
    ([name]) => !placementNames.includes(name) && !names.some((share) => share === name),
  );
  const options = readOptionObject(Object.fromEntries(others), "draw");
  if (!options.ok) return options;
  const shares = Object.fromEntries(names.map((name) => [name, members[name] as number]));
  return success({
    overlay: { picture, options: options.value.options, placement: placement.value, shares },
    warnings: [...warnings, ...options.value.warnings],
  });
}

/** An overlay's picture, and the members that are left. */
type ReadPicture = Pick<OverlayRequest, "picture"> & {
  readonly members: JsonObject;
  readonly warnings: readonly string[];
};

function readPicture(url: unknown, text: unknown, rest: JsonObject): Result<ReadPicture> {
  if (url !== undefined && text !== undefined)
    return failure(problem(9401, "An overlay must have `url` or `text`; it has both."));
  if (text === undefined) {
    return typeof url === "string"
      ? success({ picture: { url }, members: rest, warnings: [] })
      : failure(problem(9401, `\`url\` of an overlay must be a string; found ${quote(url)}.`));
  }
  const read = readText(text, rest);
  if (!read.ok) return read;
  // The size of a text follows from its font (observed).
  const ignored = ["width", "height"].filter((name) => rest[name] !== undefined && rest[name] !== null);
  const others = [...textOptionNames, ...ignored];
  const members = Object.fromEntries(Object.entries(rest).filter(([name]) => !others.includes(name)));
  const warnings = ignored.map((name) => `${name} has no effect on text`);
  return success({
    picture: { text: read.value.picture },
    members,
    warnings: [...read.value.warnings, ...warnings],
  });
}
