/** What an API token can be allowed to do. Names are ours (`chosen`): the specification shows no scopes. */
export const permissions = [
  "token_validation:read",
  "token_validation:write",
  "brand_protection:read",
  "brand_protection:write",
  "images:read",
  "images:write",
  "proxy:read",
  "proxy:write",
  /** The account-level IP Prefixes permission (see 11019). */
  "ip_prefixes",
] as const;

export type Permission = (typeof permissions)[number];
