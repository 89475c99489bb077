/** Values that loaders send and that are rejected: the option of the loader that makes each, and what to set (`observed`). */
import type { TransformOptionName } from "../transform/options.ts";

/** One row: values of an option, where they come from, and what to do. */
interface LoaderValues {
  /** The option; any of them without it. */
  readonly option?: TransformOptionName;
  readonly values: readonly string[];
  /** A clause for messages. */
  readonly advice: string;
}

/** From the published packages of `@astrojs/cloudflare`, `astro`, `@nuxt/image` and `unpic`, and the examples of Next.js. */
const loaderValues: readonly LoaderValues[] = [
  {
    option: "fit",
    values: ["fill"],
    advice: "Astro sends its `fit`, which can be `squeeze` instead",
  },
  {
    option: "fit",
    values: ["inside"],
    advice: "a loader that passes the `fit` of sharp can send `contain` instead",
  },
  {
    option: "quality",
    values: ["mid", "max"],
    advice: "Astro sends its `quality`, of which only `low`, `high` and numbers are known here",
  },
  {
    option: "quality",
    values: ["auto"],
    advice: "a loader of Next.js can use `quality || 75`, where its example for another service has `auto`",
  },
  {
    option: "format",
    values: ["jpg"],
    advice: "set `format` of Astro, `format` or `legacyFormat` of Nuxt Image to `jpeg`",
  },
  {
    option: "format",
    values: ["gif"],
    advice: "without `format` of Nuxt Image, a GIF stays one",
  },
  {
    option: "gravity",
    values: ["side"],
    advice: "set `gravity` of Nuxt Image to the name of a side",
  },
  {
    option: "trim",
    values: ["[object Object]"],
    advice: "set `trim` of unpic to a string `top;right;bottom;left`",
  },
  {
    values: ["undefined", "null", "NaN"],
    advice: "the loader was called without this value: give it a default, as in `quality || 75`",
  },
];

/** Advice for a value that a loader sent; undefined for values that no known loader sends. */
export function adviseLoader(name: TransformOptionName, value: unknown): string | undefined {
  return loaderValues.find(
    ({ option = name, values }) => option === name && values.some((allowed) => allowed === value),
  )?.advice;
}
