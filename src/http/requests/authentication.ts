/** Authentication and permissions. Without a list of API tokens every bearer token has every permission. */
import { ApiError, problem, quote } from "../../errors.ts";
import { readBatchToken } from "../../service/images/batch-tokens.ts";
import type { Permission } from "../../service/permissions.ts";
import type { Store } from "../../store/port.ts";
import { type ApiTokenRecord, worldScope } from "../../store/records/world.ts";

/** The permission of endpoints that every accepted API token may use, whatever its permissions. */
export const anyPermission = "any";

/** The permissions of the bearer token of a request. */
export interface Credential {
  /** False when there is no list of API tokens, so that the permissions of this one are unknown. */
  readonly isKnown: boolean;
  /** The name of the API token; absent when it has none. */
  readonly name?: string;
  may(permission: Permission): boolean;
  mayZone(zone: string, account: string | undefined): boolean;
  mayAccount(account: string): boolean;
}

/**
 * Reads `Authorization: Bearer <token>` (RFC 6750, section 2.1).
 *
 * @throws {ApiError} 9106 missing header, 6003 malformed header, 10000 unknown token
 */
export async function authenticate(request: Request, store: Store): Promise<Credential> {
  const token = readBearer(request.headers.get("authorization"));
  if (readBatchToken(token))
    throw new ApiError(problem(10000, "A batch token is valid on batch hosts only."));
  return store.read(async (tx) => {
    const known = await tx.get("api_tokens", worldScope, token);
    if (known) return credentialOf(known);
    // A list whose last token was removed still has a record, so that it never becomes a missing list.
    if ((await tx.count("api_tokens", worldScope)) === 0) return unrestricted;
    throw new ApiError(problem(10000, "The API token is unknown."));
  });
}

/** Characters of a bearer token, `b64token` of RFC 6750. */
const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

export function readBearer(header: string | null): string {
  if (header === null) {
    throw new ApiError(
      problem(9106, "The header `Authorization` is missing; it must be `Bearer <API_TOKEN>`."),
    );
  }
  const token = bearer.exec(header.trim())?.[1];
  if (token !== undefined) return token;
  throw new ApiError(
    problem(6003, "The header `Authorization` is malformed; it must be `Bearer <API_TOKEN>`."),
  );
}

const unrestricted: Credential = {
  isKnown: false,
  may: () => true,
  mayZone: () => true,
  mayAccount: () => true,
};

function credentialOf({ name, permissions, zones, accounts }: ApiTokenRecord): Credential {
  const everywhere = zones === null && accounts === null;
  const mayAccount = (account: string) => everywhere || (accounts?.includes(account) ?? false);
  return {
    isKnown: true,
    ...(name !== "" && { name }),
    may: (permission) => permissions.includes(permission) || permissions.includes(writeOf[permission] ?? ""),
    mayZone: (zone, account) =>
      everywhere || (zones?.includes(zone) ?? false) || (account !== undefined && mayAccount(account)),
    mayAccount,
  };
}

/** Permissions that include a read permission. */
const writeOf: Readonly<Partial<Record<Permission, Permission>>> = {
  "token_validation:read": "token_validation:write",
  "rulesets:read": "rulesets:write",
  "brand_protection:read": "brand_protection:write",
  "images:read": "images:write",
  "proxy:read": "proxy:write",
};

/** @throws {ApiError} 9109 */
export function forbid(scope: string, permission: Permission | typeof anyPermission): never {
  const message =
    permission === anyPermission
      ? `The API token may not use ${scope}.`
      : `The API token lacks the permission ${quote(permission)} for ${scope}.`;
  throw new ApiError(problem(9109, message));
}
