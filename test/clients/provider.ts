/** Two major versions of the provider's client library, connected to a handler in this process. */
import Cloudflare6 from "cloudflare-6";
import Cloudflare7 from "cloudflare-7";
import { createEdge, type Edge, type EdgeOptions } from "../../src/edge.ts";

export interface Generation {
  readonly name: string;
  readonly open: (options?: EdgeOptions) => { readonly client: Cloudflare7; readonly edge: Edge };
}

const apiToken = "test-token";

/** The handler accepts a `Request`; a client calls `fetch(url, init)`. The older one streams its forms. */
function fetchOf(edge: Edge) {
  // biome-ignore lint/suspicious/noExplicitAny: the two libraries type their fetch differently
  return (async (url: any, init: any) => edge.fetch(new Request(url, { duplex: "half", ...init }))) as any;
}

/** Both versions have the same methods for the endpoints of the specification; they are typed as the newer one. */
export const generations: readonly Generation[] = [
  {
    name: "cloudflare 6.5",
    open: (options = {}) => {
      const edge = createEdge({ profile: "provider", ...options });
      const client = new Cloudflare6({
        apiToken,
        baseURL: "https://edge.test/client/v4",
        fetch: fetchOf(edge),
        maxRetries: 0,
      });
      return { edge, client: client as unknown as Cloudflare7 };
    },
  },
  {
    name: "cloudflare 7.3",
    open: (options = {}) => {
      const edge = createEdge({ profile: "provider", envelopes: "everywhere", ...options });
      const client = new Cloudflare7({
        apiToken,
        baseURL: "https://edge.test/client/v4",
        fetch: fetchOf(edge),
        maxRetries: 0,
      });
      return { edge, client };
    },
  },
];
