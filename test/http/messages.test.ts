/**
 * The messages of decoding, lists, paths, authentication and bodies, exactly as a client reads them: status, code,
 * pointer and sentence. Written by `vitest -u`; read every changed line.
 */
import { expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { InvalidInputError } from "../../src/errors.ts";
import type { World } from "../../src/service/world/schema.ts";
import { jsonOf } from "../support/client.ts";
import { provoked } from "../support/failure.ts";

const limits = { bodyBytes: 200, jsonDepth: 4, imageUploadBytes: 10 };
const edge = createEdge({ limits });
const zone = "/zones/z1/token_validation";
const variants = "/accounts/a1/images/v1/variants";
const uuid = "00000000-0000-4000-8000-000000000000";
const json = { "content-type": "application/json" };
const form = { "content-type": "multipart/form-data; boundary=b" };

/** A part of a form. */
function part(name: string, content: string): string {
  return `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
}

/** The errors and notes of the response, one line each. */
async function send(
  request: string,
  body?: string | Uint8Array,
  headers: Readonly<Record<string, string>> = json,
): Promise<string[]> {
  const [method = "", path = ""] = request.split(" ");
  const response = await edge.fetch(
    new Request(`https://edge.test/client/v4${path}`, {
      method,
      headers: { authorization: "Bearer t", ...headers },
      ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
    }),
  );
  const { errors = [], messages = [], message: bare } = await jsonOf(response);
  if (bare !== undefined) return [`${response.status} ${bare}`];
  for (const { code } of errors) provoked(code);
  return [...errors, ...messages].map(({ code, message, source }) =>
    [response.status, code, source?.pointer, message].filter((item) => item !== undefined).join(" "),
  );
}

/** The messages of several requests, each under its title. */
async function messagesOf(requests: Readonly<Record<string, Promise<string[]>>>): Promise<string> {
  const blocks = await Promise.all(
    Object.entries(requests).map(async ([title, lines]) => `${title}\n  ${(await lines).join("\n  ")}`),
  );
  return `\n${blocks.join("\n")}\n`;
}

function post(path: string, body: unknown): Promise<string[]> {
  return send(`POST ${path}`, JSON.stringify(body));
}

test("decoding names the member, the value found and the values allowed", async () => {
  const messages = await messagesOf({
    "an array in place of an object": post(`${zone}/config`, []),
    "missing members": post(`${zone}/config`, {}),
    "wrong types": post(`${zone}/config`, { title: 5, description: null, token_type: {}, token_sources: "" }),
    "an array in place of a string": post(`${zone}/config`, { title: ["a"], token_sources: [7] }),
    "a value that is not in the list": post(`${zone}/rules`, { action: "deny", enabled: "yes" }),
    "an element of a bulk request": post(`${zone}/rules/bulk`, [null]),
    "an object in place of an array": post(`${zone}/rules/bulk`, {}),
    "nested members": post("/accounts/a1/intel/v2/brand-protection/domain/queries", { parameters: [] }),
    "a member of any type that is missing": post(variants, { id: "v" }),
    "a member that is not known": send(
      `PATCH ${variants}/public`,
      '{"extra":1,"neverRequireSignedURLs":true}',
    ),
  });
  expect(messages).toMatchInlineSnapshot(`
    "
    an array in place of an object
      400 10400  The body must be an object; found an empty array.
    missing members
      400 10400 /title \`title\` is missing; it must be a string.
      400 10400 /description \`description\` is missing; it must be a string.
      400 10400 /token_type \`token_type\` is missing; it must be a string.
      400 10400 /token_sources \`token_sources\` is missing; it must be an array.
      400 10400 /credentials \`credentials\` is missing; it must be an object.
    wrong types
      400 10400 /title \`title\` must be a string; found \`5\`.
      400 10400 /description \`description\` must be a string; found \`null\`.
      400 10400 /token_type \`token_type\` must be a string; found an object.
      400 10400 /token_sources \`token_sources\` must be an array; found an empty string.
      400 10400 /credentials \`credentials\` is missing; it must be an object.
    an array in place of a string
      400 10400 /title \`title\` must be a string; found an array of 1 element.
      400 10400 /description \`description\` is missing; it must be a string.
      400 10400 /token_type \`token_type\` is missing; it must be a string.
      400 10400 /token_sources/0 \`token_sources.0\` must be a string; found \`7\`.
      400 10400 /credentials \`credentials\` is missing; it must be an object.
    a value that is not in the list
      400 10400 /title \`title\` is missing; it must be a string.
      400 10400 /description \`description\` is missing; it must be a string.
      400 10400 /action \`action\` must be \`log\` or \`block\`; found the string \`deny\`.
      400 10400 /enabled \`enabled\` must be a boolean; found the string \`yes\`.
      400 10400 /expression \`expression\` is missing; it must be a string.
      400 10400 /selector \`selector\` is missing; it must be an object.
    an element of a bulk request
      400 10400 /0 \`/0\` must be an object; found \`null\`.
    an object in place of an array
      400 10400  The body must be an array of rules; found an object.
    nested members
      400 7001 /tag \`tag\` is missing; it must be a string.
      400 7001 /string_matches \`string_matches\` is missing; it must be an array.
    a member of any type that is missing
      400 5400 /options \`options\` is missing; it must be an object.
    a member that is not known
      400 5400 /options \`options\` is missing; it must be an object.
    "
  `);
});

test("lists name the parameter and its bounds", async () => {
  const messages = await messagesOf({
    "page 0": send(`GET ${zone}/config?page=0`),
    "a page that is not a number": send(`GET ${zone}/config?page=x`),
    "an empty page size": send(`GET ${zone}/config?per_page=`),
    "a page size above the maximum": send("GET /accounts/a1/images/v1?per_page=101"),
  });
  expect(messages).toMatchInlineSnapshot(`
    "
    page 0
      400 10400 \`page\` must be an integer without leading zeros, from 1; found \`0\`.
    a page that is not a number
      400 10400 \`page\` must be an integer without leading zeros, from 1; found \`x\`.
    an empty page size
      400 10400 \`per_page\` must be an integer without leading zeros, from 1; found an empty string.
    a page size above the maximum
      400 5400 \`per_page\` must be an integer without leading zeros, from 1 to 100; found \`101\`.
    "
  `);
});

test("authentication names the header or the permission", async () => {
  const api_tokens = [{ token: "t", permissions: ["images:read" as const], zones: ["z1"] }];
  const restricted = createEdge({ world: { api_tokens } });
  const get = async (path: string, token: string) => {
    const response = await restricted.fetch(
      new Request(`https://edge.test/client/v4${path}`, { headers: { authorization: `Bearer ${token}` } }),
    );
    const { errors } = await jsonOf(response);
    return errors.map(({ code, message }: { code: number; message: string }) => `${code} ${message}`);
  };
  const none = await edge.fetch(new Request(`https://edge.test/client/v4${zone}/config`));
  const { errors } = await jsonOf(none);
  const messages = await messagesOf({
    "no header": Promise.resolve([`${none.status} ${errors[0].code} ${errors[0].message}`]),
    "another scheme": send(`GET ${zone}/config`, undefined, { authorization: "Basic dTpw" }),
    "an unknown token": get(`${zone}/config`, "u"),
    "a missing permission": get(`${zone}/config`, "t"),
    "another account": get("/accounts/a1/images/v1", "t"),
  });
  expect(messages).toMatchInlineSnapshot(`
    "
    no header
      401 9106 The header \`Authorization\` is missing; it must be \`Bearer <API_TOKEN>\`.
    another scheme
      401 6003 The header \`Authorization\` is malformed; it must be \`Bearer <API_TOKEN>\`.
    an unknown token
      10000 The API token is unknown.
    a missing permission
      9109 The API token lacks the permission \`token_validation:read\` for zone z1.
    another account
      9109 The API token lacks the permission \`images:read\` for account a1.
    "
  `);
});

test("paths and methods are repeated in the message", async () => {
  const messages = await messagesOf({
    "a zone with a space": send("GET /zones/z%201/token_validation/config"),
    "an id in another format": send(`GET ${zone}/rules/7`),
    "an id that does not exist": send(`GET ${zone}/rules/${uuid}`),
    "an unknown path": send("GET /nowhere"),
    "a malformed percent-encoding": send("GET /nowhere/%zz"),
    "a method that the path does not have": send(`PUT ${zone}/config`, "{}"),
  });
  expect(messages).toMatchInlineSnapshot(`
    "
    a zone with a space
      400 10400 \`zone_id\` in the path must be 1 to 64 letters, digits, \`_\` and \`-\`; found \`z 1\`.
    an id in another format
      400 10400 \`rule_id\` in the path must be a UUID; found \`7\`.
    an id that does not exist
      404 10404 There is no rule \`00000000-0000-4000-8000-000000000000\`.
    an unknown path
      404 7003 No route for the URI \`/client/v4/nowhere\`.
    a malformed percent-encoding
      400 10400 The path \`/client/v4/nowhere/%zz\` has a malformed percent-encoding.
    a method that the path does not have
      405 10405 The method \`PUT\` is not allowed here; allowed are GET, HEAD, POST.
    "
  `);
});

test("bodies name their size, type and syntax", async () => {
  const config = `POST ${zone}/config`;
  const upload = "POST /accounts/a1/images/v1";
  const messages = await messagesOf({
    "an empty body": send(config, ""),
    "another content type": send(config, "{}", { "content-type": "text/html" }),
    "malformed JSON": send(config, '{"a":]'),
    "a body that is not UTF-8": send(config, Uint8Array.of(0x22, 0xff, 0x22)),
    "a body that is too large": send(config, JSON.stringify("x".repeat(300))),
    "a body that is nested too deeply": send(config, "[[[[[]]]]]"),
    "a form of another content type": send(upload, "{}"),
    "a form without a boundary": send(upload, "", { "content-type": "multipart/form-data" }),
    "a form that ends early": send(upload, part("id", "x"), form),
    "a file that is too large": send(upload, `${part("file", "12345678901")}--b--\r\n`, form),
    "a form without a file": send(upload, `${part("id", "x")}--b--\r\n`, form),
  });
  expect(messages).toMatchInlineSnapshot(`
    "
    an empty body
      400 6007 The body is not JSON: it is empty.
    another content type
      400 9207 The content type must be \`application/json\`; found \`text/html\`.
    malformed JSON
      400 6007 The body is not JSON: Unexpected token ']'.
    a body that is not UTF-8
      400 6007 The body is not JSON: it is not UTF-8.
    a body that is too large
      413 10413 The body must be at most 200 bytes; it is larger.
    a body that is nested too deeply
      400 10400 The body must be nested at most 4 levels deep; it is nested deeper.
    a form of another content type
      415 5415 The content type must be \`multipart/form-data\`; found \`application/json\`.
    a form without a boundary
      400 5400 The body is not a \`multipart/form-data\` form: the content type \`multipart/form-data\` has no valid boundary.
    a form that ends early
      400 5400 The body is not a \`multipart/form-data\` form: Unexpected end of multipart data.
    a file that is too large
      413 5413 /file The file must be at most 10 bytes; it is larger.
    a form without a file
      400 5400 The form must have either \`file\` or \`url\`; found neither.
    "
  `);
});

test("a world names the member of the file", () => {
  const problemsOf = (world: unknown): string[] => {
    try {
      createEdge({ world: world as World });
      return [];
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      return error.problems.map(({ pointer, message }) => `${pointer || "/"} ${message}`);
    }
  };
  const worlds: Readonly<Record<string, unknown>> = {
    "not an object": [],
    "an unknown member": { zone: [] },
    "an invalid id": { zones: [{ id: "z 1" }, {}] },
    "a repeated id": { zones: [{ id: "a" }, { id: "a", name: "b" }] },
    "an unknown account": { accounts: [{ id: "a" }], zones: [{ id: "z", account_id: "b" }] },
    "an unknown permission": { api_tokens: [{ token: "", permissions: ["images"] }] },
    "a nearly valid alternative": {
      accounts: [{ id: "a", brand: { observed: [{ scan_status: "x" }, 5] } }],
    },
    "numbers out of range": {
      accounts: [
        {
          id: "a",
          images: { allowed: -1, signing_keys: [] },
          brand: { logo_queries: [{ tag: "t", similarity_threshold: 2 }] },
        },
      ],
    },
    "a string that is too long": {
      zones: [
        {
          id: "z",
          token_validation: {
            operations: [{ operation_id: "o".repeat(65), method: "GET", host: "h", endpoint: "/" }],
          },
        },
      ],
    },
  };
  const blocks = Object.entries(worlds).map(
    ([title, world]) => `${title}\n  ${problemsOf(world).join("\n  ")}`,
  );
  expect(`\n${blocks.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    not an object
      / The world must be an object; found an empty array.
    an unknown member
      /zone \`zone\` is not a member of the world; did you mean \`zones\`? Its members are \`$schema\`, \`profile\`, \`accounts\`, \`zones\`, \`api_tokens\`, \`orphaned_edge_ips\`, \`undecided\`.
    an invalid id
      /zones/0/id \`zones.0.id\` must be 1 to 64 letters, digits, \`_\` and \`-\`; found the string \`z 1\`.
      /zones/1/id \`zones.1.id\` is missing; it must be a string.
    a repeated id
      /zones/1/id \`a\` is already used at \`/zones/0/id\`; it must be unique.
    an unknown account
      /zones/0/account_id There is no account \`b\`; the accounts are \`a\`.
    an unknown permission
      /api_tokens/0/token \`api_tokens.0.token\` must be at least 1 character; found an empty string.
      /api_tokens/0/permissions/0 \`api_tokens.0.permissions.0\` must be \`token_validation:read\`, \`token_validation:write\`, \`rulesets:read\`, \`rulesets:write\`, \`brand_protection:read\`, \`brand_protection:write\`, \`images:read\`, \`images:write\`, \`proxy:read\`, \`proxy:write\` or \`ip_prefixes\`; found the string \`images\`.
    a nearly valid alternative
      /accounts/0/brand/observed/0/domain \`accounts.0.brand.observed.0.domain\` is missing; it must be a string.
      /accounts/0/brand/observed/0/scan_status \`accounts.0.brand.observed.0.scan_status\` must be \`none\`, \`pending\` or \`finished\`; found the string \`x\`.
      /accounts/0/brand/observed/1 \`accounts.0.brand.observed.1\` must be a string or an object; found \`5\`.
    numbers out of range
      /accounts/0/brand/logo_queries/0/similarity_threshold \`accounts.0.brand.logo_queries.0.similarity_threshold\` must be at most 1; found \`2\`.
      /accounts/0/images/allowed \`accounts.0.images.allowed\` must be at least 0; found \`-1\`.
      /accounts/0/images/signing_keys \`accounts.0.images.signing_keys\` must have at least 1 element; found 0.
    a string that is too long
      /zones/0/token_validation/operations/0/operation_id \`zones.0.token_validation.operations.0.operation_id\` must be at most 64 characters; found 65. Replace it by \`07f9f5a8-67bb-8cc8-b9a5-1551bc2a9753\`, also in the rules that refer to it.
    "
  `);
});

test("members that a body has more than once are noted, and integers that are rounded", async () => {
  const messages = await messagesOf({
    "an integer beyond 2^53": send(
      `POST ${variants}`,
      '{"id":"w","n":[9007199254740992,9007199254740993],"options":{"fit":"cover","width":5,"height":5,"metadata":"none"}}',
    ),
    "in an object of an object": send(
      `POST ${variants}`,
      '{"id":"v","options":{"fit":"cover","width":5,"width":6,"height":5,"metadata":"none"}}',
    ),
    "without an envelope": send(
      "POST /accounts/a1/intel/v2/brand-protection/domain/queries",
      '{"tag":"a","tag":"b","string_matches":[{"pattern":"ab","max_edit_distance":0}]}',
    ),
  });
  expect(messages).toMatchInlineSnapshot(`
    "
    an integer beyond 2^53
      200 10402 /n/1 The number at \`/n/1\` is rounded; integers are exact to 2^53 - 1.
      200 10401 /n \`n\` is not a known member and was ignored.
    in an object of an object
      200 10401 /options/width \`/options/width\` is in the body more than once; the last one counts.
    without an envelope
      200 Domain query 1 was created. \`/tag\` is in the body more than once; the last one counts.
    "
  `);
});
