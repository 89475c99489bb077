/**
 * Cache of rendered images, limited in bytes, and the renderings in progress, at most one of each. Keys contain the
 * original's blob and the variant's revision, which are never reused: an entry of a deleted or changed image is never
 * requested again.
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "../../../core/json-value.ts";
import { createLruCache } from "../../../core/lru-cache.ts";
import { bestFormat } from "../../../engine/images/render/accept.ts";
import type { TransformOptions } from "../../../engine/images/transform/options.ts";

export interface Rendition {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** The differences from what was asked for. */
  readonly warnings?: readonly string[];
}

export interface Renditions {
  /** The cached rendition; otherwise the result of `render`, which is then cached. */
  get(key: string, render: () => Promise<Rendition>): Promise<Rendition>;
  /** The cached rendition. */
  peek(key: string): Rendition | undefined;
}

/** Approximate memory of an entry in addition to its bytes. */
const entryBytes = 1_024;

/** @param maxBytes memory for the cached renditions */
export function createRenditions(maxBytes: number): Renditions {
  const cached = createLruCache<Rendition>(maxBytes, ({ bytes }) => bytes.byteLength + entryBytes);
  const inProgress = new Map<string, Promise<Rendition>>();

  function start(key: string, render: () => Promise<Rendition>): Promise<Rendition> {
    const running = render()
      .then(({ bytes, contentType, warnings = [] }) => {
        // Its own bytes only: what an encoder returns can keep a multiple of them from the system.
        const rendition = { bytes: new Uint8Array(bytes), contentType, warnings };
        cached.set(key, rendition);
        return rendition;
      })
      .finally(() => inProgress.delete(key));
    inProgress.set(key, running);
    return running;
  }

  return {
    peek: cached.get,
    get: async (key, render) => cached.get(key) ?? inProgress.get(key) ?? start(key, render),
  };
}

/**
 * The identity of a rendering of a source: its options in any order, what `Accept` decides, and the overlays.
 *
 * @param accept the request's `Accept`; read only for the format `auto`
 */
export function identityOf(
  { onerror, ...options }: TransformOptions,
  accept: string | undefined,
  overlays: readonly unknown[] = [],
): string {
  const facts = { type: "png", side: 1 } as const;
  const formats =
    options.format === "auto" ? [1, 2].map((frames) => bestFormat(accept, { ...facts, frames })) : [];
  return hashOf(canonicalJson([options, overlays, formats]));
}

const hashDigits = 32;

/** The first digits of a SHA-256, in hexadecimal. */
export function hashOf(value: string | Uint8Array): string {
  return createHash("sha256").update(value).digest("hex").slice(0, hashDigits);
}
