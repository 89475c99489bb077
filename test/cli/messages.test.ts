/** The usage errors of the command line, as a user reads them on standard error. */
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

let folder: string;
let before: string;

const files: Readonly<Record<string, string | Uint8Array>> = {
  "malformed.json": '{\n  "zones": [\n}',
  "latin-1.json": new Uint8Array([0x22, 0xe4, 0x22]),
  "request.json": '{ "url": "https://a.example/" }',
  "bad-request.json": '{ "verb": "GET" }',
  "bad-requests.json": '[{ "url": "/orders" }]',
  "other-requests.json": '{"url":"ftp://x/","method":""}',
  "twice.json": '{"zones":[{"id":"z1"},{"id":"z1"}]}',
  "world.json": '{ "zones": [{ "id": "z1" }] }',
  "archive.json": '{ "log": { "version": "1.2", "entries": [] } }',
  "bad-world.json": '{ "zones": [{ "id": "a b" }], "colors": 1 }',
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  before = process.cwd();
  process.chdir(folder);
});

afterAll(async () => {
  process.chdir(before);
  await rm(folder, { recursive: true });
});

/** A command line and the message behind `edgeproof: `. */
const messages: readonly (readonly [commandLine: string, message: string])[] = [
  ["evla", "unknown command `evla`; did you mean `eval`? `npx edgeproof --help` lists the commands"],
  ["frobnicate", "unknown command `frobnicate`; `npx edgeproof --help` lists the commands"],
  ["help rendr", "unknown command `rendr`; did you mean `render`? `npx edgeproof --help` lists the commands"],
  [
    "eval --wrold world.json",
    "unknown option `--wrold`; did you mean `--world`? `npx edgeproof eval --help` shows its options",
  ],
  ["serve extra", "unexpected argument `extra`; `npx edgeproof serve --help` shows its options"],
  ["serve --port", "--port needs a value; `npx edgeproof serve --help` shows its options"],
  ["serve --port -1", "--port must be an integer from 0 to 65535; found `-1`"],
  [
    "replay --allow-changes -1 --world world.json traffic.har",
    "--allow-changes must be an integer from 0; found `-1`",
  ],
  ["serve --json=yes", "--json does not accept a value; `npx edgeproof serve --help` shows its options"],
  ["eval", "--world is missing; it must name a world file"],
  ["eval --requests request.json", "--world is missing; it must name a world file"],
  ["eval --requests nowhere.json --world world.json", "cannot read nowhere.json: the file does not exist"],
  ["eval --requests . --world world.json", "cannot read .: it is a folder"],
  [
    "eval --requests malformed.json --world world.json",
    "malformed.json:3:1: the text is not JSON: `}` is not allowed here",
  ],
  [
    "eval --requests bad-request.json --world world.json",
    "bad-request.json has invalid requests:\n  bad-request.json:1:1: /url: `url` is missing; it must be a string.\n  bad-request.json:1:11: /verb: `verb` is not a member of the file; its members are `name`, `method`, `url`, `headers`, `ip`, `httpVersion`, `body`, `challengePassed`, `fields`, `zone`, `now`, `expect`, `token`, `generated`.",
  ],
  [
    "eval --requests bad-requests.json --world world.json",
    "bad-requests.json has invalid requests:\n  bad-requests.json:1:11: /0/url: `0.url` must be an absolute URL; found the string `/orders`.",
  ],
  [
    "eval --requests other-requests.json --world world.json",
    "other-requests.json has invalid requests:\n  other-requests.json:1:28: /method: `method` must be a method name such as `GET`; found an empty string.\n  other-requests.json:1:8: /url: `url` must be an absolute http or https URL; found the string `ftp://x/`.",
  ],
  [
    "eval --requests archive.json --world world.json",
    "archive.json has no requests: it looks like an HTTP archive; run `npx edgeproof replay --world world.json archive.json`",
  ],
  [
    "diff world.json twice.json",
    "twice.json is not a valid world file:\n  twice.json:1:29: /zones/1/id: `z1` is already used at `/zones/0/id`; it must be unique.",
  ],
  [
    "eval --requests request.json --world bad-world.json",
    "bad-world.json is not a valid world file:\n  bad-world.json:1:21: /zones/0/id: `zones.0.id` must be 1 to 64 letters, digits, `_` and `-`; found the string `a b`.\n  bad-world.json:1:41: /colors: `colors` is not a member of the world; its members are `$schema`, `profile`, `accounts`, `zones`, `api_tokens`, `orphaned_edge_ips`, `undecided`.",
  ],
  ["eval --requests request.json --world latin-1.json", "latin-1.json is not valid UTF-8"],
  [
    "eval --requests request.json --world world.json --zone z9",
    "the world has no zone `z9`; zones of the world: `z1`",
  ],
  [
    "eval --requests request.json --world world.json --expect deny",
    "--expect must be `allow`, `log`, `block`, `challenge`, `js_challenge` or `managed_challenge`; found `deny`",
  ],
  [
    "eval --requests request.json --world world.json --now noon",
    "--now must be an RFC 3339 time such as 2026-01-31T12:00:00Z; found `noon`",
  ],
  [
    "check",
    "`file` is missing: pass at least one file, such as `npx edgeproof check plan.json`, or `-` for standard input; after `npx edgeproof init` the files of the folder are checked without names",
  ],
  [
    "check world.json --only rules",
    "--only must be `tokens`, `proxy`, `brand`, `images`, `keys` or `openapi`; found `rules`",
  ],
  ["check world.json --only keys", "--only keys needs --issuer or --jwks"],
  [
    "check world.json --format sarfi",
    "--format must be `text`, `json`, `sarif`, `junit`, `github`, `gitlab` or `markdown`; found `sarfi`; did you mean `sarif`?",
  ],
  ["check world.json --zone z9", "no zone `z9` has rules; zones with rules: none"],
  ["diff world.json", "expected 2 world files; found 1: `npx edgeproof diff old.json new.json`"],
  ["diff world.json nowhere.json", "cannot read nowhere.json: the file does not exist"],
  ["check nowhere.json", "cannot read nowhere.json: the file does not exist"],
  ["brand match", "use either --pattern, at least once, or --world"],
  [
    "brand match --pattern paypal:x",
    "--pattern paypal:x: the edit count must be an integer from 0 to 3; found `x`",
  ],
  ["brand match --pattern paypal --world world.json", "use either --pattern, at least once, or --world"],
  ["brand match --pattern paypal nowhere.txt", "cannot read nowhere.txt: the file does not exist"],
  [
    "brand match --world world.json",
    "--account is missing; it is required unless the world has exactly one account; accounts of the world: none",
  ],
  [
    "brand match --world world.json --account a1",
    "the world has no account `a1`; accounts of the world: none",
  ],
  [
    "brand variants",
    "expected at least 1 domain, such as paypal.com; found 0: `npx edgeproof brand variants paypal.com`",
  ],
  [
    "brand variants a.com --kind homoglif",
    "--kind must be `homoglyph`, `hyphenation`, `transposition`, `omission`, `repetition`, `vowel-swap`, `keyboard-neighbour`, `bitsquat`, `replacement`, `insertion`, `combosquat`, `embedded-suffix`, `subdomain` or `tld-swap`; found `homoglif`; did you mean `homoglyph`?",
  ],
  [
    "brand logo",
    "expected the logo first, then at least 1 picture or folder to search in; found 0: `npx edgeproof brand logo logo.png screenshots/`",
  ],
  ["brand logo nowhere.png .", "cannot read nowhere.png: the file does not exist"],
  ["brand logo nowhere.png . --threshold 2", "--threshold must be a number from 0 to 1; found `2`"],
  [
    "images render in.png",
    "expected the file or folder to read and the one to write; found 1: `npx edgeproof images render in.jpg out.webp --fit cover --width 256 --height 256`",
  ],
  ["images render in.png out.webp", "cannot read in.png: the file does not exist"],
  [
    "images render world.json out.webp",
    "the size is missing: set --width, --height, --options or --variants",
  ],
  [
    "images render in.png out.webp --fit covre",
    "--fit must be `scale-down`, `contain`, `cover`, `crop` or `pad`; found `covre`; did you mean `cover`?",
  ],
  ["images render in.png out.webp --width 0", "--width must be an integer from 1 to 12000; found `0`"],
  [
    "images render world.json out.webp --width 5",
    "world.json: The file must be PNG, JPEG, GIF, WebP, AVIF or SVG; it is not an image.",
  ],
  [
    "images sign",
    "expected 1 address to sign; found 0: `npx edgeproof images sign https://images.example.com/hash/id/public --key-env SIGNING_KEY --expires 1h`",
  ],
  [
    "images sign /h/i/public",
    "--key must be the value of a signing key, or `-` for standard input, or use --key-env; it is missing",
  ],
  [
    "images sign /h/i/public --key k --expires soon",
    "--expires must be a duration such as 90s, 15m, 1h or 7d, or an RFC 3339 time; found `soon`",
  ],
  ["serve --port 70000", "--port must be an integer from 0 to 65535; found `70000`"],
  ["serve --profile real", "--profile must be `spec` or `provider`; found `real`"],
  [
    "serve --public-url images.example",
    "--public-url must be an origin such as https://images.example.com, without query and fragment; found `images.example`",
  ],
  ["serve --world nowhere.json", "cannot read nowhere.json: the file does not exist"],
  [
    "serve --data mysql://user:secret@db",
    "--data must be a file name or an address that begins with postgres://; found `mysql://user:***@db`",
  ],
  ["store export", "--data is missing; it must name a SQLite file or a database at postgres://..."],
  ["store export --data nowhere.db", "cannot read nowhere.db: the file does not exist"],
  [
    "store export --data nowhere.db a b",
    "expected at most 1 file; found 2: `npx edgeproof store export --data ./edge.db edge.jsonl.gz`",
  ],
  [
    "store export --data world.json --json",
    "--json needs a file name: the export itself goes to standard output",
  ],
  ["store import", "--data is missing; it must name a SQLite file or a database at postgres://..."],
  ["store reindex", "--data is missing; it must name a SQLite file or a database at postgres://..."],
  ["store reindex --data nowhere.db", "cannot read nowhere.db: the file does not exist"],
  [
    "store reindex edge.db",
    "unexpected argument `edge.db`; `npx edgeproof store reindex --help` shows its options",
  ],
  ["store import --data new.db nowhere.jsonl", "cannot read nowhere.jsonl: the file does not exist"],
];

test.each(messages)("edgeproof %s", async (commandLine, message) => {
  const { code, err, out } = await edgeproof(commandLine.split(" ").filter(Boolean), "");
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: `edgeproof: ${message}\n` });
});

test("files in UTF-16, which PowerShell writes, are read", async () => {
  await writeFile("wide.json", `\ufeff${files["world.json"]}`, "utf16le");
  await writeFile("wide-request.json", `\ufeff${files["request.json"]}`, "utf16le");
  const { code, out } = await edgeproof(["eval", "--world", "wide.json", "--requests", "wide-request.json"]);
  expect([code, out]).toEqual([0, expect.stringContaining("GET a.example/")]);
  await writeFile("odd.json", Buffer.from([0xff, 0xfe, 0x7b]));
  const odd = await edgeproof(["eval", "--world", "odd.json", "--requests", "wide-request.json"]);
  expect([odd.code, odd.err]).toEqual([2, expect.stringContaining("odd.json is not valid UTF-16")]);
});

test.skipIf(process.platform === "win32")(
  "an output can be the null device, which stays what it is",
  async () => {
    const words = "eval --world world.json --requests request.json --coverage json --coverage-out /dev/null";
    const { code, out } = await edgeproof(words.split(" "));
    expect([code, out]).toEqual([0, expect.stringContaining("GET a.example/")]);
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
  },
);

describe("an invalid world is exit code 2 when the file is not a world, and 1 when the service would reject a part", () => {
  const contents = [
    [null, 2],
    ["x", 2],
    [[], 2],
    [{ colors: 1 }, 2],
    [{ zones: [{ id: "z1", token_validation: { rules: [{ expression: "maybe" }] } }] }, 1],
  ] as const;
  const commands = [
    ["eval", "https://api.example.com/", "--world"],
    ["serve", "--port", "0", "--world"],
    ["check"],
  ];

  test.each(contents)("%j: %i", async (content, expected) => {
    const world = join(folder, "invalid.json");
    await writeFile(world, JSON.stringify(content));
    // An empty list is a file of no applications for `check`.
    for (const words of commands)
      if (words[0] !== "check" || !Array.isArray(content))
        expect([words[0], (await edgeproof([...words, world])).code]).toEqual([words[0], expected]);
  });
});

test.each([
  [null, "/: The file must be an object or an array of objects; found `null`."],
  [
    [{ url: "https://a.example/", metod: "GET" }],
    "/0/metod: `metod` is not a member of `0`; did you mean `method`? Its members are `name`, ",
  ],
  [{ url: "https://a.example/", expect: "blok" }, "found the string `blok`; did you mean `block`?"],
])("a requests file %j is an error with what is allowed", async (content, message) => {
  const words = ["eval", "--world", join(folder, "world.json"), "--requests", "-"];
  const { code, err } = await edgeproof(words, JSON.stringify(content));
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
