/** Secrets of requests and addresses are in no output of a command, and every document that a command prints can be read. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import fc from "fast-check";
import { SaxesParser } from "saxes";
import { expect, test } from "vitest";
import { temporaryFolder } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";
import { runs } from "../support/runs.ts";

const folder = await temporaryFolder();
const { jwk } = await mintKey("ES256");

/** The beginning of every secret; nothing else of the input has it. */
const planted = "Zq7";

const secretNames = fc
  .tuple(
    fc.constantFrom("", "x-", "my_", "client.", "author_"),
    fc.constantFrom("token", "api_key", "Password", "secret", "sig", "auth", "session", "credential"),
    fc.constantFrom("", "_1", "-v2"),
  )
  .map((parts) => parts.join(""));

const secrets = fc
  .array(fc.constantFrom("a", "9", "-", ".", "~", "!", "*", "(", ":", "@", "/", "%22"), { maxLength: 6 })
  .map((parts) => `${planted}long${parts.join("")}`);

const plainNames = fc.constantFrom("author", "q", "page", "keyword", "a'b", 'a"b', "a\\b", "<x>");

const requests = fc.record({
  secret: secretNames,
  value: secrets,
  plain: plainNames,
  user: fc.boolean(),
  fragment: fc.boolean(),
  isNamed: fc.boolean(),
});

type Request = typeof requests extends fc.Arbitrary<infer T> ? T : never;

/** A request with the secret in its address, a header, a cookie and its body. */
function requestOf({ secret, value, plain, user, fragment, isNamed }: Request, expected: string) {
  const who = user ? `ada:${planted}pw@` : "";
  const url = `https://${who}api.example.com/x?${encodeURIComponent(plain)}=1&${secret}=${value}${fragment ? `#id_token=${planted}` : ""}`;
  return {
    url,
    method: "POST",
    ...(isNamed && { name: `${plain} of ${url}` }),
    headers: {
      [secret.replaceAll(".", "-")]: value,
      authorization: `Bearer ${planted}`,
      cookie: `a=1; ${secret}=${value}`,
      referer: url,
      "content-type": "application/json",
    },
    body: JSON.stringify({ [secret]: value, [plain]: "1" }),
    expect: expected,
  };
}

const fields = [
  "http.request.uri.query",
  "http.request.full_uri",
  "http.request.uri",
  "http.cookie",
  "http.referer",
  "http.request.body.raw",
  "lower(http.request.uri.query)",
  "lower(http.cookie)",
];

const quoted = (text: string) => JSON.stringify(text);

/** A rule that compares what has the secret, and whose text has addresses. */
const rules = fc
  .tuple(fc.constantFrom(...fields), plainNames, secretNames, fc.boolean())
  .chain(([field, plain, secret, isNamed]) =>
    fc
      .constantFrom(
        `${field} contains ${quoted(`?${plain}=`)}`,
        `${field} contains ${quoted(`&${plain}=`)} or ${field} eq ${quoted("x")}`,
        `${field} contains ${quoted(`?${secret}=${planted}`)}`,
        `any(http.request.uri.args[${quoted(secret)}][*] contains ${quoted(plain)})`,
        `any(lower(http.request.headers[${quoted(secret.toLowerCase().replaceAll(".", "-"))}][*])[*] eq "x")`,
        `any(http.request.uri.args.values[*] eq "x")`,
        `http.request.cookies[${quoted(secret)}][0] eq "x"`,
        `http.request.cookies[${quoted(secret)}][0] eq ${quoted(`${planted}long`)}`,
        `any(http.request.uri.args[${quoted(secret)}][*] in {"a" ${quoted(`${planted}long`)}})`,
        `starts_with(lower(http.request.headers["x-api-key"][0]), ${quoted(`${planted}long`)})`,
        `http.request.headers["authorization"][0] ne r#"Bearer ${planted}"#`,
        `http.request.uri.path contains ${quoted(`/${plain.replaceAll(/[^a-z]/g, "")}&${secret}=${planted}`)}`,
      )
      .map((expression) => ({
        action: "block",
        expression,
        ...(isNamed && {
          description: `see https://ada:${planted}@wiki.example/?${secret}=${planted}&${plain}=1`,
        }),
      })),
  );

const worldOf = (list: readonly object[]) => ({
  zones: [
    {
      id: "z1",
      name: "example.com",
      plan: "enterprise",
      token_validation: {
        configs: [
          {
            id: "51231d16-01f1-48e3-93f8-91c99e81288e",
            title: "idp",
            token_type: "JWT",
            token_sources: ['http.request.headers["authorization"][0]'],
            credentials: { keys: [jwk] },
          },
        ],
        rules: [],
      },
      rulesets: [
        {
          id: "s1",
          kind: "zone",
          phase: "http_request_firewall_custom",
          rules: list.map((rule, i) => ({ id: `r${i}`, ...rule })),
        },
      ],
    },
  ],
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  return path;
}

function readXml(text: string): void {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(text).close();
}

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  text: () => undefined,
  json: JSON.parse,
  sarif: JSON.parse,
  gitlab: JSON.parse,
  junit: readXml,
  github: () => undefined,
  markdown: () => undefined,
};

const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function curlOf({ url, headers, body }: ReturnType<typeof requestOf>): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`);
  return `curl ${shellQuoted(url)} ${given.join(" ")} -d ${shellQuoted(body)}\n`;
}

test("no output has a planted secret, and every document can be read", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(rules, { minLength: 1, maxLength: 2 }),
      fc.array(requests, { minLength: 1, maxLength: 2 }),
      fc.constantFrom("allow", "block"),
      fc.constantFrom("eval", "explain", "check", "diff", "mutate", "replay"),
      fc.constantFrom(...Object.keys(readers)),
      async (list, asked, expected, command, format) => {
        const lines = asked.map((secret) => requestOf(secret, expected));
        const world = await file("world.json", worldOf(list));
        const other = await file("other.json", worldOf(list.slice(1)));
        const suite = await file("requests.json", lines);
        const traffic = await file("traffic.txt", lines.map(curlOf).join(""));
        const words = {
          eval: ["eval", "--world", world, "--requests", suite],
          explain: ["eval", "--world", world, "--requests", suite, "--explain"],
          check: ["check", world],
          diff: ["diff", world, other],
          mutate: ["suite", "mutate", "--world", world, "--requests", suite],
          replay: ["replay", "--world", world, "--against", other, traffic],
        }[command];
        const { code, out, err } = await edgeproof([...words, "--format", format]);
        expect([0, 1], err).toContain(code);
        expect(out + err, `${command} ${format}`).not.toContain(planted);
        expect(() => readers[format]?.(out), `${command} ${format}: ${out || err}`).not.toThrow();
      },
    ),
    { numRuns: runs(400, 20) },
  );
});

test.each([
  ["http.request.uri.query", '"q=1&token=***"'],
  ["http.request.full_uri", '"https://api.example.com/x?q=1&token=***"'],
  ["http.cookie", '"a=1; session=***"'],
  ['http.request.headers["x-api-key"][0]', '"***"'],
  ['http.request.uri.args["token"][0]', '"***"'],
  ['http.request.uri.args["q"][0]', '"1"'],
  ["lower(http.request.uri.query)", '"***"'],
  ["lower(http.request.method)", '"post"'],
  ["http.request.body.raw", '"{\\"password\\":\\"***\\",\\"a\\":1}"'],
  ['lookup_json_string(http.request.body.raw, "password")', '"***"'],
])("an explanation shows %s as %s", async (field, shown) => {
  const rule = { action: "block", expression: `${field} eq "never"` };
  const request = {
    url: `https://api.example.com/x?q=1&token=${planted}`,
    method: "POST",
    headers: { cookie: `a=1; session=${planted}`, "x-api-key": `${planted}long` },
    body: `{"password":"${planted}","a":1}`,
  };
  const words = ["eval", "--world", await file("one.json", worldOf([rule])), "--requests", "-", "--explain"];
  const { out } = await edgeproof(words, JSON.stringify(request));
  expect(out).toContain(` is false: ${shown}`);
  expect(out).not.toContain(planted);
});
