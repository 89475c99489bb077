/** Renders a fetched source, once for the same bytes and options. */
import { createHash } from "node:crypto";
import { type DeclaredSize, declaredSize } from "../../../engine/images/declared-size.ts";
import { resolveImageLimits } from "../../../engine/images/limits.ts";
import { openImage } from "../../../engine/images/open-image.ts";
import { chooseFormat } from "../../../engine/images/render/accept.ts";
import type { OverlayRequest } from "../../../engine/images/request/overlay-options.ts";
import { sniffImage } from "../../../engine/images/sniff.ts";
import { type Operation, planOperations } from "../../../engine/images/transform/operations.ts";
import type { TransformOptions } from "../../../engine/images/transform/options.ts";
import { transformImage } from "../../../engine/images/transform/transform-image.ts";
import { ApiError, type CodedDiagnostic, problem } from "../../../errors.ts";
import type { ServiceContext } from "../../context.ts";
import { type DecodingMemory, engineLimits } from "../decoding-memory.ts";
import type { Rendition, Renditions } from "../delivery/renditions.ts";
import type { RenderQueue } from "../render-queue.ts";
import type { FetchedSource, Untransformed } from "./fetch-source.ts";

/** A picture to draw, with its bytes. */
export interface FetchedOverlay extends OverlayRequest {
  readonly source: FetchedSource;
}

/** A source to be rendered. */
export interface SourceRequest {
  /** URL of the source. */
  readonly url: string;
  readonly source: FetchedSource;
  readonly options: TransformOptions;
  readonly overlays: readonly FetchedOverlay[];
  /** The request's `Accept`, for the format `auto`. */
  readonly accept: string | undefined;
  /** Whether the client already has the image with an entity tag. */
  readonly has: (etag: string) => boolean;
}

/** A rendered source. */
export interface SourceRendering {
  /** Absent when the client already has it. */
  readonly image?: Rendition;
  /** With its quotation marks. */
  readonly etag: string;
  readonly isCached: boolean;
  /** Milliseconds of waiting, and of rendering. */
  readonly queueMs: number;
  readonly renderMs: number;
}

/** Renders a source, or says why not. */
export type RenderSource = (request: SourceRequest) => Promise<SourceRendering | Untransformed>;

/** Creates the function; renderings share the cache, the memory and the queue of delivery. */
export function sourceRenderer(
  { clock, limits }: ServiceContext,
  renditions: Renditions,
  memory: DecodingMemory,
  queue: RenderQueue,
): RenderSource {
  const own = resolveImageLimits(engineLimits(limits));
  return async (request) => {
    const { source, options, accept } = request;
    const size = declaredSize(source.bytes);
    const wrong = checkSource(source.bytes, size, limits.imageInputSide);
    if (wrong) return wrong;
    const { etag, key } = identify(request);
    const waiting = { etag, queueMs: 0, renderMs: 0 };
    if (request.has(etag)) return { ...waiting, isCached: true };
    const kept = renditions.peek(key);
    if (kept) return { ...waiting, isCached: true, image: kept };
    const startMs = clock();
    let begunMs = startMs;
    const work = async (): Promise<Rendition> => {
      begunMs = clock();
      const operations = await operationsOf(request, own);
      const rendered = await transformImage(source.bytes, operations, options, { accept, limits: own });
      if (!rendered.ok) throw new ApiError(...rendered.problems);
      const { bytes, contentType, warnings } = rendered.value;
      return { bytes, contentType, warnings };
    };
    const image = await renditions.get(key, () => queue.run(() => memory.run(size, work)));
    return { etag, isCached: false, image, queueMs: begunMs - startMs, renderMs: clock() - begunMs };
  };
}

function checkSource(
  bytes: Uint8Array,
  { width, height }: DeclaredSize,
  maxSide: number,
): Untransformed | undefined {
  const sniffed = sniffImage(bytes);
  if (sniffed.kind === "unknown") return problem(9412, "The source is not an image.");
  if (sniffed.kind === "rejected")
    return problem(9520, `The source must be PNG, JPEG, GIF, WebP, AVIF or SVG; found ${sniffed.name}.`);
  if (sniffed.type === "svg" || sniffed.type === "avif") return undefined;
  if (Math.max(width, height) <= maxSide) return undefined;
  return problem(9413, `The source must have at most ${maxSide} pixels a side; found ${width} x ${height}.`);
}

/** The entity tag, and the key of the cache: the source, the options, and what `Accept` decides. */
function identify({ url, source, options, overlays, accept }: SourceRequest): {
  readonly etag: string;
  readonly key: string;
} {
  const facts = { type: "png", frames: 1, side: 1 } as const;
  const formats =
    options.format === "auto"
      ? [chooseFormat(accept, facts), chooseFormat(accept, { ...facts, frames: 2 })]
      : [];
  const drawn = overlays.map(({ source: picture, ...overlay }) => [overlay, tagOf(picture)]);
  const made = hash(canonical([options, drawn, formats]));
  const tag = tagOf(source);
  return { etag: `"cf-${made}:${tag}"`, key: hash(canonical([url, tag, made])) };
}

/** The origin's entity tag without its quotation marks; that of its bytes when it has none. */
function tagOf({ etag, bytes }: FetchedSource): string {
  const own = etag?.replace(/^W\//, "").replace(/[^\x21\x23-\x7e]/g, "");
  return own ? own : hash(bytes);
}

const hashDigits = 32;

function hash(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex").slice(0, hashDigits);
}

/** Equal for equal values, whatever the order of their members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** @throws {ApiError} when the size of the image is needed and cannot be planned */
async function operationsOf(
  { source, options, overlays }: SourceRequest,
  limits: ReturnType<typeof resolveImageLimits>,
): Promise<readonly Operation[]> {
  const first: Operation = { transform: options };
  const usesShares = overlays.some(({ shares }) => Object.keys(shares).length > 0);
  const base = usesShares ? await planBase(source.bytes, first, limits) : { width: 0, height: 0 };
  const drawn = overlays.map(({ source: { bytes }, options: own, placement, shares }): Operation => {
    const sides = (["width", "height"] as const).flatMap((name) => {
      const share = shares[name];
      return share === undefined ? [] : [[name, Math.max(1, Math.round(share * base[name]))]];
    });
    const transform = { ...own, ...Object.fromEntries(sides) };
    return { draw: { bytes, operations: [{ transform }], placement } };
  });
  return [first, ...drawn];
}

async function planBase(bytes: Uint8Array, first: Operation, limits: ReturnType<typeof resolveImageLimits>) {
  const opened = await openImage(bytes, limits);
  if (!opened.ok) throw new ApiError(opened.problems[0] as CodedDiagnostic);
  const planned = planOperations(opened.value, [first], limits);
  if ("code" in planned) throw new ApiError(planned);
  return planned;
}
