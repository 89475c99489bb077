/** `edgeproof/http`: the fetch handler and the node server. */
export { type GuardedFetchOptions, guardedFetchImage, type LookupAll } from "./guarded-fetch.ts";
export type { FetchHandler, HandlerOptions } from "./handler.ts";
export { type NodeServer, type NodeServerOptions, type ServedHandler, serveOnNode } from "./node-server.ts";
export { isPublicAddress } from "./public-address.ts";
export { type WireNames, wireNames } from "./wire-names.ts";
