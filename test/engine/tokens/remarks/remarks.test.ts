/** Remarks on values of a zone that cannot match, and on unknown members. */

import { describe, expect, test } from "vitest";
import { analyze } from "../../../../src/engine/tokens/analysis/analyze.ts";
import { parseExpression } from "../../../../src/engine/tokens/expression/parser.ts";
import type { TokenRule } from "../../../../src/engine/tokens/model.ts";
import { checkZone, compileZone } from "../../../../src/engine/tokens/zone/zone.ts";

const rule: TokenRule = {
  id: "r",
  action: "block",
  enabled: true,
  expression: 'http.request.method eq "GET"',
  selector: { include: [{ host: ["api.example.com"] }] },
};

const operation = { operation_id: "o", method: "GET", host: "api.example.com", endpoint: "/" };

async function notesOf(zone: object): Promise<string[]> {
  const input = { configs: [], rules: [], ...zone };
  const { notes } = await compileZone(input, { clock: () => 0 });
  const enforced = checkZone(input, { restrictions: "enforce" });
  const unknown = notes.filter(({ message }) => message.includes("not a known member"));
  // Where the provider's restrictions hold, the same values are problems; unknown members never are.
  expect(enforced.map(({ pointer }) => pointer)).toEqual(
    notes.filter((note) => !unknown.includes(note)).map(({ pointer }) => pointer),
  );
  return notes.map(({ pointer, message }) => `${pointer}  ${message}`);
}

const notesOfHost = (host: string) =>
  notesOf({ rules: [{ ...rule, selector: { include: [{ host: [host] }] } }] });

describe("hosts", () => {
  test.each([
    "api.example.com",
    "localhost",
    "my_host.example",
    "127.0.0.1",
    "[::1]",
    "B\u00fccher.example",
    "xn--bcher-kva.example",
    "example.com.",
    "a--b.example",
  ])("%j is a host name", async (host) => expect(await notesOfHost(host)).toEqual([]));

  test("others have a note that says what is wrong", async () => {
    const hosts = [
      "",
      "https://api.example.com",
      "api.example.com/v1",
      "api example.com",
      "user@example.com",
      "*.example.com",
      "api.example.com:8443",
      "[::1]:80",
      "api.example.com:99999",
      "1.2.3.999",
      "a..b",
      "a~b.example",
      "{tenant}.example.com",
      "api-{tenant}.example.com",
      "{}.example.com",
      "xn--a.example",
    ];
    const notes = await Promise.all(hosts.map(notesOfHost));
    expect(
      notes.map((list) =>
        list.map((note) => note.slice("/rules/0/selector/include/0/host/0  ".length)).join(" | "),
      ),
    ).toMatchInlineSnapshot(`
      [
        "\`host\` must be a host name; found an empty string.",
        "\`host\` must be a host name; found \`https://api.example.com\`: it must not have a scheme.",
        "\`host\` must be a host name; found \`api.example.com/v1\`: it must not have a path.",
        "\`host\` must be a host name; found \`api example.com\`: it must not have white space.",
        "\`host\` must be a host name; found \`user@example.com\`: it must not have a user.",
        "\`host\` must be a host name; found \`*.example.com\`: \`*\` matches no other label; a variable such as \`{name}\` does in an operation.",
        "\`host\` must have no port; the port of \`api.example.com:8443\` is ignored.",
        "\`host\` must have no port; the port of \`[::1]:80\` is ignored.",
        "\`host\` must be a host name; found \`api.example.com:99999\`: each label must have letters, digits, \`-\` and \`_\`.",
        "\`host\` must be a host name; found \`1.2.3.999\`: it is neither a valid name nor a valid address.",
        "\`host\` must be a host name; found \`a..b\`: each label must have letters, digits, \`-\` and \`_\`.",
        "\`host\` must be a host name; found \`a~b.example\`: each label must have letters, digits, \`-\` and \`_\`.",
        "A host with variables must be that of an operation; found \`{tenant}.example.com\`.",
        "\`host\` must be a host name; found \`api-{tenant}.example.com\`: a variable must be a whole label with a name, such as \`{name}\`.",
        "\`host\` must be a host name; found \`{}.example.com\`: a variable must be a whole label with a name, such as \`{name}\`. | A host with variables must be that of an operation; found \`{}.example.com\`.",
        "\`host\` must be a host name; found \`xn--a.example\`: it is neither a valid name nor a valid address.",
      ]
    `);
    const long = `${"a".repeat(250)}.example`;
    expect(await notesOfHost(long)).toEqual([
      expect.stringContaining("it has 258 characters, of at most 255"),
    ]);
  });

  test("a template of hosts needs an operation with the same template", async () => {
    const rules = [{ ...rule, selector: { include: [{ host: ["{a}.Example.com"] }] } }];
    expect(await notesOf({ rules, operations: [{ ...operation, host: "{b}.example.com" }] })).toEqual([]);
    expect(await notesOf({ rules, operations: [operation] })).toHaveLength(1);
  });
});

test("methods and endpoints of operations that cannot match have a note", async () => {
  const operations = [
    { ...operation, operation_id: "1", method: "GET POST" },
    { ...operation, operation_id: "2", endpoint: "/users/:id" },
    { ...operation, operation_id: "3", endpoint: "/files/*" },
    { ...operation, operation_id: "4", endpoint: "/a:b/*c/{id}", method: "propfind" },
    { ...operation, operation_id: "6", host: "" },
    { ...operation, operation_id: "7", method: "" },
    { ...operation, operation_id: "5", host: "http://api.example.com" },
  ];
  expect(await notesOf({ operations })).toMatchInlineSnapshot(`
    [
      "/operations/0/method  \`method\` must be a method name such as \`GET\`; found \`GET POST\`.",
      "/operations/1/endpoint  \`endpoint\` must have variables such as \`{id}\`; found \`:id\`, which matches only itself.",
      "/operations/2/endpoint  \`endpoint\` must have variables such as \`{id}\`; found \`*\`, which matches only itself.",
      "/operations/4/host  \`host\` must be a host name; found an empty string.",
      "/operations/5/method  \`method\` must be a method name such as \`GET\`; found an empty string.",
      "/operations/6/host  \`host\` must be a host name; found \`http://api.example.com\`: it must not have a scheme.",
    ]
  `);
});

test("unknown members have a note with the nearest known name; members of the output have none", async () => {
  const at = { created_at: "2026-01-01T00:00:00Z", last_updated: "2026-01-01T00:00:00Z" };
  const source = 'http.request.headers["authorization"][0]';
  const zone = {
    rules: [
      {
        ...rule,
        ...at,
        description: "",
        position: 1,
        titel: "x",
        __proto__: null,
        selector: {
          include: [{ host: ["api.example.com"], hosts: [] }],
          exclude: [{ operation_id: "o" }],
          exlude: [],
        },
      },
    ],
    operations: [{ ...operation, ...at, features: {}, path: "/", unset: undefined }],
  };
  expect(await notesOf(zone)).toMatchInlineSnapshot(`
    [
      "/rules/0/titel  \`titel\` is not a known member and was ignored; did you mean \`title\`?",
      "/rules/0/selector/exlude  \`exlude\` is not a known member and was ignored; did you mean \`exclude\`?",
      "/rules/0/selector/include/0/hosts  \`hosts\` is not a known member and was ignored; did you mean \`host\`?",
      "/rules/0/selector/exclude/0/operation_id  \`operation_id\` is not a known member and was ignored; did you mean \`operation_ids\`?",
      "/operations/0/path  \`path\` is not a known member and was ignored.",
    ]
  `);
  const [problem] = checkZone({
    configs: [
      { id: "c", token_type: "JWT", token_sources: [source], credentials: { keys: [] }, constructor: 1 },
    ],
    rules: [],
  });
  expect(problem?.pointer).toBe("/configs/0/credentials/keys");
});

test.each([
  ["note", "warning", "note"],
  ["enforce", "error", "error"],
] as const)(
  "with restrictions `%s` the analysis reports what the provider rejects as %s or %s of the rule",
  (restrictions, host, port) => {
    const selector = { include: [{ host: ["*.example.com", "api.example.com:443"], hosts: [] }] };
    const found = analyze({ configs: [], rules: [{ ...rule, selector }] }, { restrictions });
    expect(
      found.map((diagnostic) => [diagnostic.rule, diagnostic.level, diagnostic.subject?.["rule"]]),
    ).toEqual([
      ["unknown-member", "note", "r"],
      ["cannot-match", host, "r"],
      ["port-removed", port, "r"],
    ]);
  },
);

test("include and exclude can be null, as if they were absent", async () => {
  const zone = { configs: [], rules: [{ ...rule, selector: { include: null, exclude: null } }] };
  expect(checkZone(zone)).toEqual([]);
});

test.each(["\t a", " a \t\r\n", "\n\ta\t"])("white space around an expression may be a tab: %j", (space) => {
  expect(parseExpression(space.replace("a", 'http.host eq "a"')).ok).toBe(true);
});

test.each(["\t", " \t ", 'http.host\teq "a"', 'not\thttp.host eq "a"'])("%j is not an expression", (text) => {
  const parsed = parseExpression(text);
  expect(parsed.ok).toBe(false);
});
