/**
 * The provider's client library, connected to a handler in this process. Its older major version is in the package of the
 * generators; the project `packages` runs the tests of this folder with it.
 */
import Newer from "cloudflare";
import { createEdge, type Edge, type EdgeOptions } from "../../src/edge.ts";

/** Whether the tests run with the older version. */
export const isOlder = process.env["EDGEPROOF_CLIENT"] === "older";

const olderPath = new URL("./generators/node_modules/cloudflare/index.mjs", import.meta.url).href;

/** Both versions have the same methods for the endpoints of the specification; they are typed as the newer one. */
const Client: typeof Newer = isOlder ? (await import(/* @vite-ignore */ olderPath)).default : Newer;

/** A client that accepts the base URL of any server. */
export function clientAt(baseURL: string, options: { readonly fetch?: typeof fetch } = {}): Newer {
  return new Client({ apiToken: "test-token", baseURL, maxRetries: 0, ...options });
}

export interface Generation {
  readonly name: string;
  readonly open: (options?: EdgeOptions) => { readonly client: Newer; readonly edge: Edge };
}

/** The handler accepts a `Request`; a client calls `fetch(url, init)`. The older one streams its forms. */
function fetchOf(edge: Edge): typeof fetch {
  return (url, init) => edge.fetch(new Request(url as string, { duplex: "half", ...init } as RequestInit));
}

/** The version under test. The newer one expects envelopes everywhere. */
export const generations: readonly Generation[] = [
  {
    name: isOlder ? "cloudflare 6.5" : "cloudflare 7.3",
    open: (options = {}) => {
      const envelopes = isOlder ? {} : ({ envelopes: "everywhere" } as const);
      const edge = createEdge({ profile: "provider", ...envelopes, ...options });
      return { edge, client: clientAt("https://edge.test/client/v4", { fetch: fetchOf(edge) }) };
    },
  },
];
