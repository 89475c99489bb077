/** A zone with two kinds of users. */
import type { JwtKey, ZoneInput } from "edgeproof/tokens";

const sources = ['http.request.headers["authorization"][0]', 'http.request.cookies["session"][0]'];

/** The condition to read accounts. */
export const accountExpression = 'is_jwt_valid("users") or is_jwt_valid("support")';

/** The condition to change accounts. */
export const adminExpression = 'is_jwt_valid("support") and not http.request.uri.path contains "/billing"';

export function zoneOf(users: JwtKey, support: JwtKey): ZoneInput {
  const selector = { include: [{ host: ["api.shop.example"] }] };
  return {
    configs: [
      { id: "users", token_sources: sources, credentials: { keys: [users] } },
      { id: "support", token_sources: sources, credentials: { keys: [support] } },
    ],
    rules: [
      {
        id: "accounts",
        action: "block",
        enabled: true,
        expression: accountExpression,
        selector: { ...selector, exclude: [{ operation_ids: ["login"] }] },
      },
      {
        id: "admin",
        action: "block",
        enabled: true,
        expression: adminExpression,
        selector: { ...selector, exclude: [{ operation_ids: ["login", "show-account"] }] },
      },
    ],
    operations: [
      { operation_id: "login", method: "POST", host: "api.shop.example", endpoint: "/login" },
      { operation_id: "show-account", method: "GET", host: "api.shop.example", endpoint: "/accounts/{id}" },
      {
        operation_id: "close-account",
        method: "DELETE",
        host: "api.shop.example",
        endpoint: "/accounts/{id}",
      },
    ],
  };
}
