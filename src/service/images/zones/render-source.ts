/** Renders a fetched source, once for the same bytes and options. */
import type { OpenedImage } from "../../../engine/images/open-image.ts";
import type { OverlayRequest } from "../../../engine/images/request/overlay-options.ts";
import type { TransformOptions } from "../../../engine/images/transform/options.ts";
import type { Operation } from "../../../engine/images/transform/plan.ts";
import { planImage } from "../../../engine/images/transform/transform-image.ts";
import { ApiError, problem } from "../../../errors.ts";
import type { ServiceContext } from "../../context.ts";
import { type DecodingMemory, engineLimits } from "../decoding-memory.ts";
import { hashOf, identityOf, type Rendition, type Renditions } from "../delivery/renditions.ts";
import { sourceDigests } from "../delivery/source-digests.ts";
import type { RenderQueue } from "../render-queue.ts";
import type { FetchedSource, Untransformed } from "./fetch-source.ts";

/** A picture to draw, with its source. */
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
  /** Milliseconds of reading the sources, of waiting, and of rendering. */
  readonly readMs: number;
  readonly queueMs: number;
  readonly renderMs: number;
}

/** Renders a source, or says why it cannot be read. @throws {ApiError} the problem of the transformation */
export type RenderSource = (request: SourceRequest) => Promise<SourceRendering | Untransformed>;

/**
 * Creates the function; renderings share the cache, the memory and the queue of delivery. What is in the cache was planned
 * and rendered before: sources with an entity tag are not even read then.
 */
export function sourceRenderer(
  { clock, limits }: ServiceContext,
  renditions: Renditions,
  memory: DecodingMemory,
  queue: RenderQueue,
): RenderSource {
  const digest = sourceDigests();

  /** The origin's entity tag; that of its bytes when it has none. */
  async function tagOf({ etag, read }: FetchedSource, url: string): Promise<string | Untransformed> {
    if (etag !== undefined) return etag;
    const bytes = await read();
    return "code" in bytes ? bytes : digest(url, bytes);
  }

  return async ({ url, source, options, overlays, accept, has }) => {
    const startMs = clock();
    const sources = [source, ...overlays.map((overlay) => overlay.source)];
    const urls = [url, ...overlays.map(({ picture }) => ("url" in picture ? picture.url : ""))];
    const [tag, ...drawn] = await Promise.all(sources.map((fetched, i) => tagOf(fetched, urls[i] as string)));
    const unread = [tag, ...drawn].find((result) => typeof result === "object");
    if (unread) return unread;
    const pictures = overlays.map(({ source: _, ...overlay }, i) => [overlay, drawn[i]]);
    const etag = `"cf-${identityOf(options, accept, pictures)}:${tag}"`;
    const key = hashOf(`${url} ${etag}`);
    const kept = renditions.peek(key);
    const cached = { etag, isCached: true, readMs: 0, queueMs: 0, renderMs: 0 };
    if (kept) {
      await Promise.all(sources.map((fetched) => fetched.discard()));
      return has(etag) ? cached : { ...cached, image: kept };
    }
    const files = await Promise.all(sources.map((fetched) => fetched.read()));
    const wrong = files.find((file) => "code" in file);
    if (wrong && "code" in wrong) return wrong;
    const readMs = clock() - startMs;
    const [bytes, ...below] = files as [Uint8Array, ...Uint8Array[]];
    const planned = await planImage(bytes, operationsOf(options, overlays, below), options, {
      accept,
      place: "address",
      limits: engineLimits(limits),
    });
    if (!planned.ok) throw new ApiError(...planned.problems);
    checkSides(planned.value.image, limits);
    if (has(etag)) return { ...cached, readMs };
    const waitingMs = clock();
    let begunMs = waitingMs;
    const work = () => {
      begunMs = clock();
      return memory.render(planned);
    };
    const image = await renditions.get(key, () => queue.run(work));
    const spent = { readMs, queueMs: begunMs - waitingMs, renderMs: clock() - begunMs };
    return { etag, isCached: false, image, ...spent };
  };
}

/** @throws {ApiError} 9413 */
function checkSides(
  { type, width, height }: OpenedImage,
  { imageInputSide, imageAvifSide }: ServiceContext["limits"],
): void {
  const maxSide = type === "avif" ? imageAvifSide : imageInputSide;
  if (type === "svg" || Math.max(width, height) <= maxSide) return;
  const source = type === "avif" ? "source of format AVIF" : "source";
  const message = `The ${source} must have at most ${maxSide} pixels a side; found ${width} x ${height}.`;
  throw new ApiError(problem(9413, message));
}

function operationsOf(
  options: TransformOptions,
  overlays: readonly FetchedOverlay[],
  files: readonly Uint8Array[],
): readonly Operation[] {
  const drawn = overlays.map(({ options: transform, placement, shares }, i) => ({
    draw: { bytes: files[i] as Uint8Array, operations: [{ transform }], placement, shares },
  }));
  return [{ transform: options }, ...drawn];
}
