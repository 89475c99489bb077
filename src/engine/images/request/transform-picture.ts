/** Transforms a picture by a list of options, without an address or a zone (`docs/interface/images.md`, Transformations). */
import {
  anyObject,
  aString,
  aUint8Array,
  either,
  optional,
  optionsOf,
  requireArguments,
} from "../../../core/arguments.ts";
import { type Result, success } from "../../../core/result.ts";
import type { RenderContext } from "../render/render.ts";
import type { Rendering } from "../render/rendering.ts";
import { type ParsedTransformation, readOptionObject } from "../transform/read-options.ts";
import { type PlannedImage, planImage } from "../transform/transform-image.ts";
import { followClient } from "./client-hints.ts";
import { isParsed, parseTransformation } from "./parse-transformation.ts";

const contextOptions = optionsOf<RenderContext>("transformPicture", {
  accept: optional(aString),
  limits: optional(anyObject),
});

/**
 * Transforms a picture as an address with these options would. There is no client: `width=auto` is the width of a desktop,
 * and the connection is fast. Nothing redirects, so `onerror` has no effect.
 *
 * @param options a list such as `w=400,fit=cover`; the `options` of `parseTransformation`; or an object with the members of
 * `cf.image`, such as `{ width: 400, fit: "cover" }`, without `draw`
 * @param context `accept` is read only for the format `auto`; without a format, that of the picture stays
 * @returns the picture with its warnings, or the problems: 9401 rejected options, or options that the picture cannot have;
 * 9412 and 9520 not an accepted picture, 9413 too many pixels in or out, 9516 not decodable or transformable
 * @example
 * ```ts
 * const gif = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
 * const rendering = await transformPicture(gif, "w=64,h=48,fit=pad,f=webp");
 * rendering.ok && [rendering.value.contentType, rendering.value.width, rendering.value.height]; // => ["image/webp", 64, 48]
 * ```
 */
export async function transformPicture(
  bytes: Uint8Array,
  options: string | Readonly<Record<string, unknown>>,
  context: RenderContext = {},
): Promise<Result<Rendering>> {
  const planned = await planPicture(bytes, options, context);
  return planned.ok ? planned.value.render() : planned;
}

/** Plans the transformation of a picture, without rendering it. */
export async function planPicture(
  bytes: Uint8Array,
  options: string | Readonly<Record<string, unknown>>,
  context: RenderContext = {},
): Promise<Result<PlannedImage>> {
  requireArguments({
    bytes: [bytes, aUint8Array],
    options: [options, either(aString, anyObject)],
    context: [context, contextOptions],
  });
  const { accept, limits } = context;
  const read = readAny(options);
  if (!read.ok) return read;
  const { options: transform } = followClient(read.value.options, () => undefined);
  const planned = await planImage(bytes, [{ transform }], transform, {
    accept,
    limits,
    place: "address",
  });
  if (!planned.ok) return planned;
  const none = transform.onerror === undefined ? [] : ["onerror has no effect here"];
  const render = async () => {
    const rendered = await planned.value.render();
    if (!rendered.ok) return rendered;
    const warnings = [...read.value.warnings, ...none, ...rendered.value.warnings];
    return success({ ...rendered.value, warnings: [...new Set(warnings)] });
  };
  return success({ ...planned.value, render });
}

function readAny(options: string | Readonly<Record<string, unknown>>): Result<ParsedTransformation> {
  if (typeof options === "string") return parseTransformation(options);
  return isParsed(options) ? success({ options, warnings: [] }) : readOptionObject(options, "fetch");
}
