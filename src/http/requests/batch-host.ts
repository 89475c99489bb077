/**
 * Hosts `batch.*`: the paths of images without account, for the account of a batch token (`observed`). No other path and no
 * other token is accepted there, and no batch token elsewhere.
 */
import { ApiError, problem, quote } from "../../errors.ts";
import { readBatchToken } from "../../service/images/batch-tokens.ts";
import type { Services } from "../../service/services.ts";
import type { EndpointId } from "../documents/documents.ts";
import { type Credential, readBearer } from "./authentication.ts";
import { rawAddress } from "./raw-address.ts";

/** The endpoints that a batch host has. */
const batchEndpoints: ReadonlySet<EndpointId> = new Set([
  "images.list",
  "images.upload",
  "images.get",
  "images.edit",
  "images.delete",
  "images.listFrom",
  "images.drafts.create",
]);

/** The account in the path of a request without a batch token, which is rejected. */
const noAccount = "none";

/** Whether a request is one for the images of a batch host. */
function isBatchRequest(request: Request): boolean {
  const { origin, pathname } = rawAddress(request);
  return /^https?:\/\/batch\./.test(origin) && /^\/images\/v[12](\/|$)/.test(pathname);
}

/** The path to route of a request to a batch host; undefined for others. */
export function batchPath(request: Request, basePath: string): string | undefined {
  if (!isBatchRequest(request)) return undefined;
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization")?.trim() ?? "") ?? [];
  const account = readBatchToken(token)?.account ?? noAccount;
  return `${basePath}/accounts/${account}${rawAddress(request).pathname}`;
}

/**
 * The credential of a request to a batch host; undefined for other requests.
 *
 * @throws {ApiError} 7003 for an endpoint that batch hosts do not have, 9106, 6003, 10000
 */
export async function authenticateBatch(
  request: Request,
  endpoint: EndpointId,
  services: Services,
): Promise<Credential | undefined> {
  if (!isBatchRequest(request)) return undefined;
  if (!batchEndpoints.has(endpoint))
    throw new ApiError(problem(7003, `No route for the URI ${quote(rawAddress(request).pathname)}.`));
  const token = readBearer(request.headers.get("authorization"));
  if (!(await services.images.batchTokens.verify(token)))
    throw new ApiError(problem(10000, "The batch token is unknown or has expired."));
  const account = readBatchToken(token)?.account;
  return {
    isKnown: true,
    may: () => true,
    mayZone: () => false,
    mayAccount: (one) => one === account,
  };
}
