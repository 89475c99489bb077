/** Who asks, and what they may do. Without a list of API tokens every bearer token may do everything. */
import { ApiError, quote } from "../../errors.ts";
import type { Permission } from "../../service/permissions.ts";
import type { Store } from "../../store/port.ts";
import { type ApiTokenRecord, worldScope } from "../../store/records/world.ts";

/** The bearer of a request. */
export interface Credential {
  /** False when there is no list of API tokens, and so nobody knows what this one may do. */
  readonly isKnown: boolean;
  may(permission: Permission): boolean;
  mayZone(zone: string, account: string | undefined): boolean;
  mayAccount(account: string): boolean;
}

/**
 * Reads `Authorization: Bearer <token>` (RFC 6750, section 2.1).
 *
 * @throws {ApiError} 9106 without the header, 6003 in another form, 10000 for an unknown token
 */
export async function authenticate(request: Request, store: Store): Promise<Credential> {
  const token = readBearer(request.headers.get("authorization"));
  return store.read(async (tx) => {
    const known = await tx.get("api_tokens", worldScope, token);
    if (known) return credentialOf(known);
    if ((await tx.count("api_tokens", worldScope)) === 0) return anybody;
    throw new ApiError({ code: 10000, message: "The API token is not known here." });
  });
}

/** Characters of a bearer token, `b64token` of RFC 6750. */
const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

function readBearer(header: string | null): string {
  if (header === null) {
    throw new ApiError({
      code: 9106,
      message: "The header `Authorization` is missing; it must be `Bearer <API_TOKEN>`.",
    });
  }
  const token = bearer.exec(header.trim())?.[1];
  if (token !== undefined) return token;
  throw new ApiError({
    code: 6003,
    message: "The header `Authorization` is malformed; it must be `Bearer <API_TOKEN>`.",
  });
}

const anybody: Credential = { isKnown: false, may: () => true, mayZone: () => true, mayAccount: () => true };

function credentialOf({ permissions, zones, accounts }: ApiTokenRecord): Credential {
  const everywhere = zones === null && accounts === null;
  const mayAccount = (account: string) => everywhere || (accounts?.includes(account) ?? false);
  return {
    isKnown: true,
    may: (permission) => permissions.includes(permission) || permissions.includes(readOf[permission] ?? ""),
    mayZone: (zone, account) =>
      everywhere || (zones?.includes(zone) ?? false) || (account !== undefined && mayAccount(account)),
    mayAccount,
  };
}

/** Who may write may read. */
const readOf: Readonly<Partial<Record<Permission, Permission>>> = {
  "token_validation:read": "token_validation:write",
  "brand_protection:read": "brand_protection:write",
  "images:read": "images:write",
  "proxy:read": "proxy:write",
};

/** @throws {ApiError} 9109 */
export function forbid(what: string, permission: Permission): never {
  throw new ApiError({
    code: 9109,
    message: `The API token lacks the permission ${quote(permission)} for ${what}.`,
  });
}
