/** `edgeproof/http`: the fetch handler and the node server. */
export { type GuardedFetchOptions, guardedFetchImage, type LookupAll } from "../http/fetch/guarded-fetch.ts";
export { isPublicAddress } from "../http/fetch/public-address.ts";
export type { FetchHandler, HandlerOptions } from "../http/handler.ts";
export {
  type NodeServer,
  type NodeServerOptions,
  type ServedHandler,
  serveOnNode,
} from "../http/node-server.ts";
export type { RequestRecord } from "../http/server/request-log.ts";
export { type WireNames, wireNames } from "../http/wire-names.ts";
