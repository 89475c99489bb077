/** `edgeproof/http`: the fetch handler and the node server. */

export { type GuardedFetchOptions, guardedFetchImage } from "../http/fetch/guarded-fetch.ts";
export { isPublicAddress } from "../http/fetch/public-address.ts";
export type { FetchHandler } from "../http/handler.ts";
export { type NodeServer, type NodeServerOptions, serveOnNode } from "../http/node-server.ts";
export { wireNames } from "../http/wire-names.ts";
