/** `fetch` with the object `cf.image`, as a Worker calls it, for tests in Node (members `observed`). */
import {
  aFunction,
  anyObject,
  aString,
  either,
  instanceOf,
  type Kind,
  objectWith,
  optional,
  optionsOf,
  requireArguments,
} from "../core/arguments.ts";
import type { TransformationService } from "../service/images/zones/transformations.ts";
import { matchesTag } from "./responses/transform-answers.ts";
import { transformationResponse } from "./responses/transformation-response.ts";
import { wireNames } from "./wire-names.ts";

/** Options of `createImageFetch`. */
export interface ImageFetchOptions {
  /** Id or name of the Worker's zone, whose settings decide which sources are allowed. Default: the zone of the source's host. */
  readonly zone?: string;
  /** Answers requests without `cf.image`. Default: they are rejected with a TypeError. */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

const imageFetchOptions = optionsOf<ImageFetchOptions>("createImageFetch", {
  zone: optional(aString),
  fetch: optional(aFunction),
});

/** The second argument of `fetch` in a Worker. */
export interface ImageFetchInit extends RequestInit {
  /** `image` has the options of the transformation; other members have no effect. */
  readonly cf?: {
    /** The options by their names. */
    readonly image?: object;
    readonly [member: string]: unknown;
  };
}

/** A `fetch` that transforms images. */
export type ImageFetch = (input: string | URL | Request, init?: ImageFetchInit) => Promise<Response>;

const anAddress: Kind = {
  allowed: "an absolute URL",
  faultOf: (found) =>
    typeof found === "string" && URL.canParse(found)
      ? undefined
      : { path: "", allowed: "an absolute URL", found },
};

/**
 * A `fetch` for Workers that are called in Node: with `cf.image` it transforms the image at the URL, as the settings of the
 * zone allow. Sources come from `imageSource` and `fetchImage` of the simulator. An error is a response.
 *
 * @example
 * ```ts
 * const world = { zones: [{ id: "z1", name: "shop.example", settings: { transformations: "on" } }] } as const;
 * const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
 * const fetch = createImageFetch(createEdge({ world, imageSource: () => pixel }));
 * const response = await fetch("https://shop.example/a.gif", { cf: { image: { width: 4, fit: "contain", format: "webp" } } });
 * response.headers.get("content-type"); // => "image/webp"
 * ```
 */
export function createImageFetch(
  edge: { readonly images: { readonly transformations: TransformationService } },
  options: ImageFetchOptions = {},
): ImageFetch {
  requireArguments({
    edge: [
      edge,
      objectWith({ images: objectWith({ transformations: objectWith({ transformFetch: aFunction }) }) }),
    ],
    options: [options, imageFetchOptions],
  });
  const { zone, fetch } = options;
  const { transformations } = edge.images;
  return async (input, given = {}) => {
    requireArguments({
      input: [input, either(anAddress, instanceOf("a URL", URL), instanceOf("a Request", Request))],
      init: [given, objectWith({ cf: optional(anyObject) })],
    });
    const { cf, ...init } = given;
    const request = new Request(input, init);
    const { url, headers } = request;
    if (cf?.image === undefined) {
      if (fetch) return fetch(request);
      throw new TypeError(
        `${url} has no \`cf.image\`; the option \`fetch\` of createImageFetch answers such requests`,
      );
    }
    const known = headers.get("if-none-match");
    const has = (etag: string) => matchesTag(known, etag);
    const outcome = await transformations.transformFetch({ url, image: cf.image, headers, zone, has });
    return transformationResponse(outcome, wireNames[transformations.wireNames]);
  };
}
