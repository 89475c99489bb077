/**
 * Transformations by address and by the object of `fetch` (`docs/interface/images.md`, Transformations of zones): the zone,
 * the options, the sources that it allows, and the answer.
 */
import {
  aFunction,
  aString,
  aUrl,
  instanceOf,
  objectWith,
  requireArgument,
} from "../../../core/arguments.ts";
import { success } from "../../../core/result.ts";
import { resolveImageLimits } from "../../../engine/images/limits.ts";
import { cachePolicy } from "../../../engine/images/request/cache-policy.ts";
import { followClient } from "../../../engine/images/request/client-hints.ts";
import {
  isAllowedSource,
  isInZone,
  parseAllowedOrigins,
} from "../../../engine/images/request/source-origins.ts";
import { resolveSource } from "../../../engine/images/request/transform-address.ts";
import { drawText } from "../../../engine/images/text/draw-text.ts";
import type { TextPicture } from "../../../engine/images/text/lay-out.ts";
import { ApiError, problem, quote } from "../../../errors.ts";
import type { ServiceContext } from "../../context.ts";
import type { Settings } from "../../settings.ts";
import { type DecodingMemory, engineLimits } from "../decoding-memory.ts";
import { hashOf, type Renditions } from "../delivery/renditions.ts";
import type { RenderQueue } from "../render-queue.ts";
import { type FetchedSource, fetchSource, type Untransformed, viaName } from "./fetch-source.ts";
import { findZone, type TransformingZone } from "./find-zone.ts";
import { type ReadRequest, readAddress, readFetch } from "./read-request.ts";
import { sourceRenderer } from "./render-source.ts";

/** The headers of a request, and its `If-None-Match`. */
interface ClientRequest {
  readonly headers: Headers;
  /** Whether the client already has the image with an entity tag. */
  readonly has: (etag: string) => boolean;
}

/** A request for `/cdn-cgi/image/{options}/{source}`. */
export interface AddressTransformation extends ClientRequest {
  /** Scheme and host of the request. */
  readonly origin: string;
  /** The part after `/cdn-cgi/image/`, as it was sent, with the query. */
  readonly rest: string;
}

/** A `fetch` of a Worker with `cf.image`. */
export interface FetchTransformation extends ClientRequest {
  /** URL of the source. */
  readonly url: string;
  /** The object of options. */
  readonly image: unknown;
  /** Id or name of the Worker's zone. Default: the zone of the source's host. */
  readonly zone?: string | undefined;
}

const ofClient = { headers: instanceOf("Headers", Headers), has: aFunction };
const anAddress = objectWith({ ...ofClient, origin: aUrl, rest: aString });
const aFetch = objectWith({ ...ofClient, url: aString });

/** An image that was transformed. */
export interface Transformed {
  readonly kind: "image";
  /** Absent when the client already has it. */
  readonly image?: { readonly bytes: Uint8Array; readonly contentType: string } | undefined;
  /** With its quotation marks. */
  readonly etag: string;
  readonly cacheControl: string;
  /** Request headers on which the image depends. */
  readonly vary: readonly string[];
  readonly warnings: readonly string[];
  readonly isCached: boolean;
  /** Milliseconds of waiting for other renderings, of fetching the source, and of rendering. */
  readonly timings: { readonly queueMs: number; readonly fetchMs: number; readonly renderMs: number };
}

/** The outcome of a request; `off`: the zone transforms nothing, or there is no zone. */
export type TransformationOutcome =
  | Transformed
  | { readonly kind: "off" }
  | { readonly kind: "redirect"; readonly location: string; readonly error: Untransformed }
  | { readonly kind: "error"; readonly error: Untransformed };

/** Transforms images of zones. */
export interface TransformationService {
  /** The names of headers in the answers. */
  readonly wireNames: Settings["wireNames"];
  /** Answers an address. */
  transformAddress(request: AddressTransformation): Promise<TransformationOutcome>;
  /** Answers a `fetch` of a Worker. */
  transformFetch(request: FetchTransformation): Promise<TransformationOutcome>;
}

/** Creates the service. */
export function transformationService(
  context: ServiceContext,
  renditions: Renditions,
  decoding: DecodingMemory,
  queue: RenderQueue,
): TransformationService {
  const { store, clock, zoneHosts = {}, settings } = context;
  const render = sourceRenderer(context, renditions, decoding, queue);
  const mapped = new Map(Object.entries(zoneHosts).map(([host, zone]) => [host.toLowerCase(), zone]));

  async function transform(
    zone: TransformingZone,
    request: ReadRequest,
    { headers, has }: ClientRequest,
  ): Promise<TransformationOutcome> {
    const { url, overlays } = request;
    const startMs = clock();
    const fetched = await fetchAll(context, zone, request, headers);
    if ("code" in fetched) return failed(fetched);
    const [source, ...pictures] = fetched as readonly [FetchedSource, ...FetchedSource[]];
    const openedMs = clock();
    const { options, vary } = followClient(request.options, (name) => headers.get(name));
    const rendered = await render({
      url: url.href,
      source,
      options,
      overlays: overlays.map((overlay, i) => ({ ...overlay, source: pictures[i] as FetchedSource })),
      accept: headers.get("accept") ?? undefined,
      has,
    }).catch(explain);
    if ("code" in rendered) return failed(rendered);
    const { image, etag, isCached, readMs, queueMs, renderMs } = rendered;
    const policy = cachePolicy(source.cacheControl);
    const warnings = [...request.warnings, ...(image?.warnings ?? []), ...policy.warnings];
    return {
      kind: "image",
      image,
      etag,
      isCached,
      cacheControl: policy.value,
      vary: [...(options.format === "auto" ? ["Accept"] : []), ...vary],
      warnings: [...new Set(warnings)],
      timings: { queueMs, fetchMs: openedMs - startMs + readMs, renderMs },
    };
  }

  return {
    wireNames: settings.wireNames,
    transformAddress: async (client) => {
      requireArgument("request", client, anAddress);
      const { hostname, protocol } = new URL(client.origin);
      const named = mapped.get(hostname);
      const zone = await store.read((tx) => findZone(tx, { zone: named, host: hostname }));
      if (!zone || zone.mode === "off") return { kind: "off" };
      const request = readAddress(
        client.rest,
        named === undefined ? client.origin : `${protocol}//${zone.name}`,
      );
      if ("code" in request) return failed(request);
      const outcome = await transform(zone, request, client);
      const mayRedirect = request.options.onerror === "redirect" && isInZone(request.url.host, zone.name);
      if (outcome.kind !== "error" || !mayRedirect) return outcome;
      return { kind: "redirect", location: request.url.href, error: outcome.error };
    },
    transformFetch: async (client) => {
      requireArgument("request", client, aFetch);
      const { url, image, headers, zone: named } = client;
      const source = resolveSource(url, "");
      if (!source.ok) return failed(source.problems[0]);
      const host = source.value.hostname;
      const zone = await store.read((tx) => findZone(tx, { zone: named, host }));
      if (!zone)
        return failed(
          forbidden(`There is no zone ${named === undefined ? `of the host ${quote(host)}` : quote(named)}`),
        );
      if (zone.mode === "off")
        return failed(forbidden(`Transformations of the zone ${quote(zone.name)} are off`));
      const request = readFetch(source.value, image, headers);
      return "code" in request ? failed(request) : transform(zone, request, client);
    },
  };
}

function failed(error: Untransformed): TransformationOutcome {
  return { kind: "error", error };
}

/** 9401 with the status of what is not allowed (`observed`). */
function forbidden(message: string): Untransformed {
  return { code: 9401, message: `${message}.`, status: 403 };
}

/** @throws what is not an ApiError */
function explain(error: unknown): Untransformed {
  if (!(error instanceof ApiError)) throw error;
  const { code, message } = error;
  return { code, message };
}

/** Fetches the source and the pictures to draw, when all of them are allowed. */
async function fetchAll(
  context: ServiceContext,
  zone: TransformingZone,
  { url, overlays, forwarded }: ReadRequest,
  headers: Headers,
): Promise<readonly FetchedSource[] | Untransformed> {
  if (new RegExp(`\\b${viaName}\\b`, "i").test(headers.get("via") ?? ""))
    return problem(9403, "The request was made by a transformation, which would never end.");
  const pictures: (URL | TextPicture)[] = [url];
  for (const { picture } of overlays) {
    const resolved = "url" in picture ? resolveSource(picture.url, "") : success(picture.text);
    if (!resolved.ok) return resolved.problems[0];
    pictures.push(resolved.value);
  }
  const rejected = pictures
    .filter((picture) => picture instanceof URL)
    .find((picture) => !isAllowed(zone, picture));
  if (rejected)
    return forbidden(
      `The zone ${quote(zone.name)} must allow the origin of a source; ${quote(rejected.origin)} is not allowed`,
    );
  const fetched = await Promise.all(
    pictures.map((picture) =>
      picture instanceof URL ? fetchSource(context, picture, forwarded) : drawSource(context, picture),
    ),
  );
  const wrong = fetched.find((result) => "code" in result);
  if (!wrong) return fetched as readonly FetchedSource[];
  for (const result of fetched) if ("discard" in result) await result.discard();
  return wrong as Untransformed;
}

/** The picture of a text, with an entity tag: it is drawn only for a rendition that is not cached. */
function drawSource({ limits }: ServiceContext, text: TextPicture): FetchedSource {
  return {
    etag: hashOf(text.svg),
    read: () => drawText(text, resolveImageLimits(engineLimits(limits))),
    discard: async () => undefined,
  };
}

function isAllowed({ name, mode, origins }: TransformingZone, url: URL): boolean {
  const list = parseAllowedOrigins(origins);
  return isAllowedSource(url, name, mode, list.ok ? list.value : []);
}
