/**
 * Hosts `batch.*`: the paths of images without account, for the account of a batch token (`observed`). No other path and no
 * other token is accepted there, and no batch token elsewhere.
 */
import { ApiError, problem } from "../../errors.ts";
import { readBatchToken } from "../../service/images/batch-tokens.ts";
import type { Services } from "../../service/services.ts";
import { type Credential, readBearer } from "./authentication.ts";
import { rawAddress } from "./raw-address.ts";

/** The account in the path of a request without a batch token, which is rejected. */
const noAccount = "none";

/** Whether a request is one for the images of a batch host. */
export function isBatchRequest(request: Request): boolean {
  const { origin, pathname } = rawAddress(request);
  return /^https?:\/\/batch\./.test(origin) && /^\/images\/v[12](\/|$)/.test(pathname);
}

/** The account of the batch token of a request to a batch host; the token is not verified yet. */
export function batchAccount(request: Request): string {
  const [, token = ""] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization")?.trim() ?? "") ?? [];
  return readBatchToken(token)?.account ?? noAccount;
}

/**
 * The credential of a request to a batch host.
 *
 * @throws {ApiError} 9106, 6003, 10000
 */
export async function authenticateBatch(request: Request, services: Services): Promise<Credential> {
  const token = readBearer(request.headers.get("authorization"));
  if (!(await services.images.batchTokens.verify(token)))
    throw new ApiError(problem(10000, "The batch token is unknown or has expired."));
  const own = readBatchToken(token)?.account;
  return {
    isKnown: true,
    may: () => true,
    mayZone: () => false,
    mayAccount: (account) => account === own,
  };
}
