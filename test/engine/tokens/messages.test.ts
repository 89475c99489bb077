/** The messages of token validation as a user reads them: pointer, then message. */
import { expect, test } from "vitest";
import { parseExpression } from "../../../src/engine/tokens/expression/parser.ts";
import { importKeys } from "../../../src/engine/tokens/jwt/keys/key-set.ts";
import { createVerifier } from "../../../src/engine/tokens/jwt/verifier.ts";
import { checkRequest } from "../../../src/engine/tokens/zone/request.ts";
import { checkPosition, movePosition } from "../../../src/engine/tokens/zone/rule-order.ts";
import { checkTokenSources } from "../../../src/engine/tokens/zone/token-source.ts";
import { checkZone } from "../../../src/engine/tokens/zone/zone.ts";
import { mintKeys } from "./minting.ts";

interface Message {
  readonly pointer?: string;
  readonly message: string;
}

const minted = mintKeys();
const rsa = minted.RS256.jwk;
const ec = minted.ES256.jwk;

function lines(messages: readonly Message[]): string {
  return messages.map(({ pointer, message }) => `${pointer || "(root)"}  ${message}`).join("\n");
}

test("problems of zones have these messages", () => {
  const selector = { include: [{ host: ["h"] }] };
  const rule = { id: "r", action: "block", enabled: true, expression: 'http.host eq "h"', selector };
  const config = { id: "c", token_sources: [], credentials: { keys: [ec] } };
  const operation = { operation_id: "o", method: "GET", host: "h", endpoint: "/a/{x}" };
  const zones: unknown[] = [
    null,
    { configs: "x", rules: 1, operations: {} },
    { configs: [1, { ...config, id: "" }, config, config], rules: [] },
    { configs: [{ id: "a", token_sources: 4, credentials: {} }], rules: [] },
    {
      configs: [],
      rules: [
        [],
        { ...rule, id: undefined, action: "deny", enabled: "yes", expression: 7, selector: "all" },
        { ...rule, expression: "true" },
        { ...rule, id: "s", expression: 'is_jwt_valid("nope")' },
        { ...rule, id: "t", selector: { include: {}, exclude: [{ operation_ids: "a" }] } },
        { ...rule, id: "u", selector: { include: [{ host: [7] }, 1] } },
      ],
    },
    {
      configs: [],
      rules: [],
      operations: [
        operation,
        { ...operation, operation_id: "p", endpoint: "/a/{y}" },
        { operation_id: "q", method: "", host: 1 },
        { ...operation, operation_id: "1", endpoint: "a" },
        { ...operation, operation_id: "2", endpoint: "/a?b" },
        { ...operation, operation_id: "3", endpoint: "/a{b}" },
        { ...operation, operation_id: "4", endpoint: "/a/.." },
      ],
    },
  ];
  expect(zones.map((zone) => lines(checkZone(zone))).join("\n\n")).toMatchInlineSnapshot(`
    "(root)  The zone must be an object; found \`null\`.

    /configs  \`configs\` must be an array; found the string \`x\`.
    /rules  \`rules\` must be an array; found \`1\`.
    /operations  \`operations\` must be an array; found an object.

    /configs/0  An element of \`configs\` must be an object; found \`1\`.
    /configs/1/id  The id of a configuration must be a non-empty string; found an empty string.
    /configs/3/id  An earlier configuration has the id \`c\` already.

    /configs/0/token_sources  \`token_sources\` must be an array of strings; found \`4\`.
    /configs/0/credentials/keys  \`keys\` must be an array of at least 1 key; it is missing.

    /rules/0  An element of \`rules\` must be an object; found an empty array.
    /rules/1/id  The id of a rule must be a non-empty string; it is missing.
    /rules/1/action  \`action\` must be \`log\` or \`block\`; found the string \`deny\`.
    /rules/1/enabled  \`enabled\` must be a boolean; found the string \`yes\`.
    /rules/1/selector  \`selector\` must be an object; found the string \`all\`.
    /rules/1/expression  \`expression\` must be a string; found \`7\`.
    /rules/3/expression  At line 1, column 14 of the expression: There is no token configuration \`nope\`.
    /rules/4/selector/include  \`include\` must be an array of objects; found an object.
    /rules/4/selector/exclude/0/operation_ids  \`operation_ids\` must be an array of strings; found the string \`a\`.
    /rules/5/selector/include/0/host/0  An element of \`host\` must be a string; found \`7\`.
    /rules/5/selector/include/1  An element of \`include\` must be an object with \`host\`; found \`1\`.

    /operations/1  The operation \`o\` already matches the same requests.
    /operations/2/host  \`host\` must be a string; found \`1\`.
    /operations/2/endpoint  \`endpoint\` must be a non-empty string; it is missing.
    /operations/3/endpoint  \`endpoint\` must be a path that starts with \`/\`; found the string \`a\`.
    /operations/4/endpoint  \`endpoint\` must be a path without query and fragment; found the string \`/a?b\`.
    /operations/5/endpoint  \`endpoint\` must be a path whose variables, such as \`{id}\`, are whole segments; found the string \`/a{b}\`.
    /operations/6/endpoint  \`endpoint\` must be a path without \`.\` and \`..\` segments; found the string \`/a/..\`."
  `);
});

test("problems of token sources have these messages", () => {
  const header = (name: string) => `http.request.headers["${name}"][0]`;
  const sources = [
    1,
    "",
    "http.host",
    header(""),
    header("a b"),
    header("Auth"),
    'http.request.cookies[""][0]',
  ];
  const { problems } = checkTokenSources(sources, { headerCase: "lower" });
  expect(lines(problems)).toMatchInlineSnapshot(`
    "/0  A token source must be a string; found \`1\`.
    /1  \`\` is not a token source: at column 1, expected \`http.request.headers\` or \`http.request.cookies\`, but found the end of the text.
    /2  \`http.host\` is not a token source: at column 1, expected \`http.request.headers\` or \`http.request.cookies\`, but found \`http.host\`.
    /3  \`\` is not a header name: it must have one or more letters, digits and !#$%&'*+-.^_\`|~.
    /4  \`a b\` is not a header name: it must have one or more letters, digits and !#$%&'*+-.^_\`|~.
    /5  The header name \`Auth\` is compared without case; the provider accepts lower case only.
    /6  The name of a cookie must not be empty."
  `);
});

test("problems of keys have these messages", () => {
  const keys = [
    null,
    "key",
    {},
    { kty: "OKP" },
    { kty: "RSA", alg: "ES256", kid: 1 },
    { ...ec, alg: "ES384" },
    { ...rsa, e: "AQ" },
    { ...rsa, e: "AQAAAAAAAAAB" },
    { ...rsa, e: "AQAB=" },
    { ...rsa, e: "A+AB" },
    { ...rsa, e: "" },
    { ...rsa, n: "AQAB" },
    { ...ec, x: "AQAB" },
    { ...ec, x: "y" in ec ? ec.y : "" },
    ec,
    ec,
  ];
  const rejected = [
    importKeys(keys, { mode: "reject" }),
    importKeys({}, { mode: "reject" }),
    importKeys([], { mode: "reject" }),
  ];
  expect(lines(rejected.flatMap((result) => (result.ok ? [] : result.problems)))).toMatchInlineSnapshot(`
    "/0  The key must be an object; found \`null\`.
    /1  The key must be an object; found the string \`key\`.
    /2/kty  \`kty\` must be \`RSA\` or \`EC\`; it is missing.
    /3/kty  \`kty\` must be \`RSA\` or \`EC\`; found the string \`OKP\`.
    /4/alg  \`alg\` must be \`RS256\`, \`RS384\`, \`RS512\`, \`PS256\`, \`PS384\` or \`PS512\` for kty \`RSA\`; found the string \`ES256\`.
    /4/kid  \`kid\` must be a string; found \`1\`.
    /4/e  \`e\` must be a string; it is missing.
    /4/n  \`n\` must be a string; it is missing.
    /5/crv  \`crv\` must be \`P-384\` for alg \`ES384\`; found the string \`P-256\`.
    /6/e  The exponent must be an odd number from 3 to 2^64 - 1; it is 1.
    /7/e  The exponent must be an odd number from 3 to 2^64 - 1; it has 65 bits.
    /8/e  \`e\` has padding, which is not allowed.
    /9/e  \`e\` has the character \`+\`, which is not base64url.
    /10/e  \`e\` is empty; it must be base64url.
    /11/n  The modulus must have 2048 to 16384 bits; it has 17.
    /12/x  \`x\` must have 32 bytes, as a coordinate of P-256; it has 3.
    /13/x  \`x\` and \`y\` must be a point on \`P-256\`; they are not.
    /15/kid  The pair of kid \`key-ES256\` and alg \`ES256\` must be unique; key 14 has it already.
    (root)  \`keys\` must be an array of 1 to 64 keys; found an object.
    (root)  \`keys\` must have 1 to 64 keys; it has 0."
  `);
});

test("notes on adjusted keys have these messages", () => {
  const { alg, ...withoutAlg } = rsa;
  const { crv, ...withoutCrv } = ec as typeof ec & { crv: string };
  const keys = [
    { ...ec, d: "x", use: "sig" },
    withoutAlg,
    { ...withoutCrv, kid: "k" },
    { kty: "OKP", kid: "ed" },
  ];
  const adjusted = importKeys(keys, { mode: "adjust" });
  expect([alg, crv]).toEqual(["RS256", "P-256"]);
  expect(lines(adjusted.ok ? adjusted.value.notes : [])).toMatchInlineSnapshot(`
    "/0  keys[0] had private members (\`d\`), which were dropped and not stored (kid "key-ES256")
    /0  keys[0] has members that a key does not have here (\`use\`); they were ignored
    /1/alg  keys[1].alg was omitted and defaulted to "RS256" (kid "key-RS256")
    /2/crv  keys[2].crv was omitted and inferred from alg as "P-256" (kid "k")
    /3  keys[3] was dropped: \`kty\` must be \`RSA\` or \`EC\`; found the string \`OKP\` (kid "ed")"
  `);
});

test("problems and notes of positions have these messages", () => {
  const positions = [null, {}, { index: 1, after: "a" }, { index: -1 }, { index: "1" }, { before: "" }];
  const moves = [{ before: "a" }, { after: "zz" }].flatMap((position) => {
    const moved = movePosition(["a", "b"], "a", position);
    return moved.ok ? [] : moved.problems;
  });
  const noted = movePosition(["a", "b"], "a", { index: 0, x: 1 });
  const messages = [...positions.flatMap(checkPosition), ...moves, ...(noted.ok ? noted.value.notes : [])];
  expect(lines(messages)).toMatchInlineSnapshot(`
    "(root)  \`position\` must be an object with \`index\`, \`before\` or \`after\`; found \`null\`.
    (root)  \`position\` must have exactly one of \`index\`, \`before\` and \`after\`; it has none of them.
    (root)  \`position\` must have exactly one of \`index\`, \`before\` and \`after\`; it has \`index\` and \`after\`.
    /index  \`index\` must be an integer from 1; found \`-1\`.
    /index  \`index\` must be an integer from 1; found the string \`1\`.
    /before  \`before\` must be the id of a rule; found an empty string.
    /before  A rule cannot be moved before itself (\`a\`).
    /after  There is no rule \`zz\` to move this rule after.
    /index  \`index\` 0 was read as 1, the first position.
    (root)  A position has only \`index\`, \`before\` and \`after\`; \`x\` was ignored."
  `);
});

test("problems of requests have these messages", () => {
  const url = "https://h/";
  const requests = [
    null,
    { method: "G T", url: "/users" },
    { method: "GET", url, headers: "x" },
    { method: "GET", url, headers: { a: 1 } },
    { method: "GET", url, headers: [["a"]] },
  ];
  expect(lines(requests.flatMap(checkRequest))).toMatchInlineSnapshot(`
    "(root)  The request must be an object with \`method\` and \`url\`; found \`null\`.
    /method  \`method\` must be a method name such as \`GET\`; found the string \`G T\`.
    /url  \`url\` must be an absolute http or https URL; found the string \`/users\`.
    /headers  \`headers\` must be an object or an array of pairs; found the string \`x\`.
    /headers/a  A header must be a string or an array of strings; found \`1\`.
    /headers/0  A header must be a pair of strings; found an array of 1 element."
  `);
});

test("syntax errors of expressions have these messages", () => {
  const expressions = [
    "",
    "is_jwt_valid(a)",
    'is_jwt_valid("a") or true',
    'http.host eq "a" x',
    'http.host strict "a"',
    'http.host matches "a"',
    'http.host EQ "a"',
    'http.host in {"a", "b"}',
    "http.host eq 'a'",
    'http.host wildcard "a**"',
    'http.host wildcard r"a\\b"',
    'http.host eq "a',
    'http.host eq "\\q"',
    'http.request.headers["a"][x] eq "b"',
    "(".repeat(129),
    " ".repeat(4097),
  ];
  const messages = expressions.flatMap((text) => {
    const parsed = parseExpression(text);
    return parsed.ok
      ? []
      : parsed.problems.map(({ line, column, message }) => `${line}:${column}  ${message}`);
  });
  expect(messages.join("\n")).toMatchInlineSnapshot(`
    "1:1  Expected \`is_jwt_valid(...)\`, \`is_jwt_present(...)\`, a field, a call, \`any(...)\`, \`all(...)\`, \`not\` or \`(\`, but found the end of the text.
    1:14  Expected a configuration id in double quotes, but found \`a\`; write \`is_jwt_valid("a")\`.
    1:22  \`true\` is allowed only as the whole expression; a Bool has no operand.
    1:18  Expected \`or\`, \`xor\`, \`and\` or the end of the text, but found \`x\`.
    1:18  Expected \`wildcard\`, but found \`"a"\`.
    1:11  \`EQ\` is not an operator; write \`http.host eq "a"\`.
    1:18  A comma is not a separator; the values of a set are separated by spaces; write \`http.host in {"a" "b"}\`.
    1:14  A string must have double quotes, not single ones; write \`http.host eq "a"\`.
    1:20  Expected a wildcard pattern, but found \`"a**"\`: a wildcard pattern must not have two \`*\` in a row.
    1:20  Expected a wildcard pattern, but found \`r"a\\\\b"\`: in a wildcard pattern a backslash must be followed by \`*\` or \`\\\`.
    1:14  The string that starts here is not closed; expected \`"\` before the end of the text; write \`"a"\`.
    1:15  Expected \`\\"\`, \`\\\\\`, \`\\xHH\` or \`\\OOO\` (at most \`\\377\`), but found \`\\\\q\`.
    1:27  \`http.request.headers["a"]\` is an Array<String>: its index must be an integer from 0, or \`*\`.
    1:129  An expression must be nested at most 128 levels deep. Remove parentheses, or divide it into several rules.
    1:4097  An expression must have at most 4096 characters; this one has 4097. Divide it into several rules."
  `);
});

test("rejected tokens have these details", () => {
  const verifier = createVerifier([ec], { maxTokenBytes: 200 });
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const header = json({ alg: ec.alg, kid: ec.kid });
  const tokens = [
    "x".repeat(201),
    "a.b",
    ".b.c",
    "a..c",
    "a.b.c.d",
    "a+.b.c",
    `${json([])}.e30.AA`,
    `${json({})}.e30.AA`,
    `${json({ alg: "none" })}.e30.AA`,
    `${json({ alg: ec.alg })}.e30.AA`,
    `${json({ alg: ec.alg, kid: 1 })}.e30.AA`,
    `${json({ alg: ec.alg, kid: "k", crit: [] })}.e30.AA`,
    `${json({ alg: ec.alg, kid: "k" })}.e30.AA`,
    `${json({ alg: "RS256", kid: ec.kid })}.e30.AA`,
    `${header}.${json({ exp: "soon" })}.AA`,
    `${header}.e30.AA`,
    `${header}.e30.AAA=`,
  ];
  const checks = tokens.map((token) => verifier.check(token, 0));
  expect(checks.map(({ reason, detail }) => `${reason}  ${detail}`).join("\n")).toMatchInlineSnapshot(`
    "malformed  the token must have at most 200 characters; it has 201
    malformed  the token has fewer than three segments separated by dots
    malformed  the token's header is empty
    malformed  the payload is empty
    malformed  the token's header has a length of 1, which base64url never has
    malformed  the token's header has the character \`+\`, which is not base64url
    malformed  the token's header is JSON, but not an object
    unsupported_header  the token's header has no alg
    unsupported_header  the alg \`none\` is not one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, HS256, HS384, HS512
    unsupported_header  the token's header has no kid
    unsupported_header  the kid must be a string; found \`1\`
    unsupported_header  the token's header has \`crit\`, which is never supported
    unknown_key  the kid \`k\` is not in the key set
    algorithm_mismatch  the kid \`key-ES256\` is known, but only under ES256, not RS256
    malformed  the claim \`exp\` must be a finite number of seconds; found the string \`soon\`
    bad_signature  the signature was not made by the key \`key-ES256\` with ES256
    malformed  the signature has padding, which is not allowed"
  `);
});
