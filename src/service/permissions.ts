/** The permissions of an API token. The names are `chosen`: the specification has no scopes. */
export const permissions = [
  "token_validation:read",
  "token_validation:write",
  "rulesets:read",
  "rulesets:write",
  "brand_protection:read",
  "brand_protection:write",
  "images:read",
  "images:write",
  "proxy:read",
  "proxy:write",
  /** The account-level permission for IP prefixes (see error 11019). */
  "ip_prefixes",
] as const;

/** One permission of an API token. */
export type Permission = (typeof permissions)[number];
