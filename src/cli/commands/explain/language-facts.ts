/** Facts about the two languages that are often stated wrongly, each with examples that a test evaluates. */

/** An expression and its value for a request: GET https://example.com/a/b, or a problem when it is invalid. */
export interface FactExample {
  readonly language: "token" | "custom";
  readonly expression: string;
  /** The value of the expression; `error` when it is invalid. */
  readonly is: boolean | "error";
  /** The token of the request: its state, and its claims. Default: none. */
  readonly token?: {
    readonly state: "valid" | "expired";
    readonly claims?: Readonly<Record<string, unknown>>;
  };
  /** Headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A fact. */
export interface LanguageFact {
  readonly fact: string;
  readonly source: "spec" | "observed" | "chosen";
  readonly examples: readonly FactExample[];
}

const claims = 'http.request.jwt.claims["idp"][0]';
const admin = { state: "valid", claims: { role: "admin", aud: ["shop"], level: 3 } } as const;

/** The facts, the most consequential ones first. */
export const languageFacts: readonly LanguageFact[] = [
  {
    fact: "A token validation rule acts when its expression is false; a custom rule acts when its expression is true.",
    source: "spec",
    examples: [{ language: "token", expression: 'is_jwt_valid("idp")', is: false }],
  },
  {
    fact: "A comparison with a missing value is false, also one with `ne`. A custom rule that blocks by `ne`, `lt` or `le` of a claim lets requests without a valid token pass; `not (... eq ...)`, `ge` or `gt` does not.",
    source: "observed",
    examples: [
      { language: "custom", expression: `lookup_json_string(${claims}, "role") ne "admin"`, is: false },
      { language: "custom", expression: `not (lookup_json_string(${claims}, "role") eq "admin")`, is: true },
      { language: "token", expression: 'http.request.headers["x-plan"][0] ne "free"', is: false },
    ],
  },
  {
    fact: "`is_jwt_valid` and `is_jwt_present` belong to token rules; a custom rule reads the claims of a valid token. A token that is not valid has no claims.",
    source: "observed",
    examples: [
      { language: "custom", expression: 'is_jwt_valid("idp")', is: "error" },
      { language: "token", expression: `lookup_json_string(${claims}, "role") eq "admin"`, is: "error" },
      {
        language: "custom",
        expression: `lookup_json_string(${claims}, "role") eq "admin"`,
        token: { state: "expired", claims: { role: "admin" } },
        is: false,
      },
    ],
  },
  {
    fact: "`is_jwt_present` is true for a token that is not valid. Only `is_jwt_valid` verifies it.",
    source: "spec",
    examples: [
      { language: "token", expression: 'is_jwt_present("idp")', token: { state: "expired" }, is: true },
      { language: "token", expression: 'is_jwt_valid("idp")', token: { state: "expired" }, is: false },
    ],
  },
  {
    fact: "A token is valid by its signature, `exp` and `nbf` alone: `iss`, `aud` and `iat` are not looked at, and a token without `exp` does not expire. Custom rules can compare them.",
    source: "observed",
    examples: [
      {
        language: "token",
        expression: 'is_jwt_valid("idp")',
        token: { state: "valid", claims: { iss: "https://other.example", aud: "other" } },
        is: true,
      },
    ],
  },
  {
    fact: "A claim is read by `lookup_json_string` or `lookup_json_integer`; there are no fields of single claims. A value of another type is missing: an `aud` that is an array is read by its index.",
    source: "observed",
    examples: [
      { language: "custom", expression: 'http.request.jwt.claims.role["idp"][0] eq "admin"', is: "error" },
      {
        language: "custom",
        expression: `lookup_json_string(${claims}, "aud") eq "shop"`,
        token: admin,
        is: false,
      },
      {
        language: "custom",
        expression: `lookup_json_string(${claims}, "aud", 0) eq "shop"`,
        token: admin,
        is: true,
      },
      {
        language: "custom",
        expression: `lookup_json_integer(${claims}, "level") ge 3`,
        token: admin,
        is: true,
      },
    ],
  },
  {
    fact: "Custom rules have the names of headers in lower case: another spelling is always missing. Token rules read them in lower case until version 0.3.",
    source: "observed",
    examples: [
      {
        language: "custom",
        expression: 'http.request.headers["X-Plan"][0] eq "free"',
        headers: { "X-Plan": "free" },
        is: false,
      },
      {
        language: "token",
        expression: 'http.request.headers["X-Plan"][0] eq "free"',
        headers: { "x-plan": "free" },
        is: true,
      },
    ],
  },
  {
    fact: "Words are in lower case. `and` binds strongest, then `xor`, then `or`; `not` applies to the next operand alone.",
    source: "observed",
    examples: [
      { language: "token", expression: 'http.host eq "a" AND http.host eq "b"', is: "error" },
      {
        language: "custom",
        expression: 'http.host eq "example.com" or http.host eq "x" and http.host eq "y"',
        is: true,
      },
      { language: "custom", expression: 'not http.host eq "x" and http.host eq "y"', is: false },
    ],
  },
  {
    fact: "A set has spaces between its elements, not commas.",
    source: "observed",
    examples: [
      { language: "custom", expression: 'http.request.method in {"GET" "HEAD"}', is: true },
      { language: "custom", expression: 'http.request.method in {"GET", "HEAD"}', is: "error" },
    ],
  },
  {
    fact: "The `*` of `wildcard` is any text, with slashes, and compares without case; `strict wildcard` compares with case. `contains`, `eq` and `in` compare with case.",
    source: "observed",
    examples: [
      { language: "custom", expression: 'http.request.uri.path wildcard "/A*"', is: true },
      { language: "custom", expression: 'http.request.uri.path strict wildcard "/A*"', is: false },
      { language: "custom", expression: 'http.request.uri.path contains "/A"', is: false },
    ],
  },
];
