/** Wrong command lines of every command: exit code 2, one message on standard error, no output and no stack trace. */
import { describe, expect, test } from "vitest";
import { commands } from "../../src/cli/commands/commands.ts";
import type { Command } from "../../src/cli/declare.ts";
import { edgeproof } from "../support/cli.ts";

async function expectUsageError(words: readonly string[], message: RegExp): Promise<void> {
  const { code, out, err } = await edgeproof(words);
  expect({ code, out, err }).toEqual({ code: 2, out: "", err: expect.stringMatching(message) });
  expect(err).toMatch(/^edgeproof: /);
  expect(err).not.toMatch(/\n {4}at /);
}

type Wrong = readonly [words: readonly string[], message: RegExp];

/** The wrong words that follow from a declaration. */
function wrongWords({ options, arguments: accepted }: Command): readonly Wrong[] {
  const [first = ""] = Object.keys(options);
  const { min, max } = accepted ?? { min: 0, max: 0 };
  const hint = first === "" ? /unknown option `--x`/ : /unknown option `--.*x`; did you mean `--/;
  const wrong: Wrong[] = [[[`--${first}x`], hint]];
  if (min > 0) wrong.push([[], /expected .*; found 0/]);
  if (max !== undefined)
    wrong.push([Array.from({ length: max + 1 }, () => "extra"), /unexpected argument|expected .*; found/]);
  for (const [name, { value, implied }] of Object.entries(options)) {
    if (value === undefined) wrong.push([[`--${name}=1`], /does not accept a value/]);
    else if (implied === undefined) wrong.push([[`--${name}`, "--json"], /needs a value/]);
  }
  return wrong;
}

const names = commands.map((command) => [command.name, command] as const);

describe("words that a declaration rejects", () => {
  test.each(names)("%s", async (name, command) => {
    for (const [words, message] of wrongWords(command))
      await expectUsageError([...name.split(" "), ...words], message);
  });

  const chosen = names.flatMap(([name, { options }]) =>
    Object.entries(options).flatMap(([option, { choices, read }]) =>
      choices ? [[`${name} --${option}`, () => read(["nonsense"], `--${option}`)] as const] : [],
    ),
  );
  test.each(chosen)("%s rejects a word that is not one of its values", (_name, readNonsense) => {
    expect(readNonsense).toThrow(/^--.* must be .*; found `nonsense`/);
  });
});

/** Files that do not exist, and options that exclude each other or have a wrong type, by command. */
const wrong: Readonly<Record<string, readonly (readonly [words: string, message: RegExp])[]>> = {
  demo: [["--json --no", /unknown option/]],
  init: [["--json folder", /unexpected argument/]],
  "config print": [["--config-file none.json", /cannot read none.json/]],
  workbench: [
    ["--blobs folder", /--blobs needs --data/],
    ["--workbench-port 70000", /an integer from 0 to 65535/],
    ["--world none.json", /cannot read none.json/],
  ],
  playground: [["--replace", /--out is missing; it must name a folder/]],
  lsp: [
    ["--socket 1", /unknown option|--socket/],
    ["world.json", /unexpected argument/],
  ],
  serve: [
    ["--blobs folder", /--blobs needs --data/],
    ["--cors none --cors https://a.example", /--cors must be .* found `none`/],
    ["--grace soon", /a number of seconds/],
    ["--delivery-url https://a.example/b", /must have no path/],
    ["--world none.json", /cannot read none.json/],
  ],
  "world from": [
    ["a.json a.json", /a.json is given twice/],
    ["- -", /standard input is one file/],
    ["--zone-name z1 a.json", /must be `<id>=<domain>`/],
    ["none.json", /cannot read none.json/],
  ],
  "world pull": [
    ["--zone z --max-wait 9999", /an integer from 0 to 3600/],
    ["--zone=", /--zone is missing/],
  ],
  "world keys": [
    ["--issuer https://a.example keys.json", /an issuer or a file; found both/],
    ["", /found neither/],
    ["none.json", /cannot read none.json/],
  ],
  check: [
    ["", /pass at least one file/],
    ["--fix --watch a.json", /use one of the two/],
    ["--fix -", /cannot fix standard input/],
    ["--only keys a.json", /--only keys needs --issuer or --jwks/],
    ["--only openapi a.json", /--only openapi needs --openapi/],
    ["--issuer https://a.example --jwks k.json a.json", /found both/],
    ["--host a/b a.json", /must be a host name/],
    ["none.json", /cannot read none.json/],
    ["--json --format junit a.json", /--json means --format json; found --format junit too/],
  ],
  eval: [
    ["--world w.json", /--requests is missing/],
    ["--world w.json --requests r.json --coverage-out c", /--coverage-out needs --coverage/],
    ["--world w.json --requests r.json --coverage lcov --json", /--coverage needs a file/],
    ["--world w.json --requests none.json", /cannot read none.json/],
  ],
  diff: [["none.json other.json", /cannot read none.json/]],
  replay: [
    ["--world w.json --allow-changes -1 t.har", /an integer from 0; found `-1`/],
    ["--world none.json t.har", /cannot read none.json/],
  ],
  "suite generate": [
    ["--world w.json --now soon", /an RFC 3339 time/],
    ["--world none.json", /cannot read none.json/],
  ],
  "suite mutate": [
    ["--world w.json --requests r.json --min-score 101", /a number from 0 to 100/],
    ["--world w.json --requests none.json", /cannot read none.json/],
  ],
  "brand match": [
    ["--tune --world w.json", /--tune needs --pattern/],
    ["--pattern a --world w.json", /use either --pattern/],
    ["--label --token --pattern a", /--token means --mode token; found --mode label too/],
    ["--pattern paypal none.txt", /cannot read none.txt/],
  ],
  "brand variants": [["a.com --dictionary none.txt", /cannot read none.txt/]],
  "brand logo": [
    ["a.png b --threshold 2", /a number from 0 to 1/],
    ["a.png b --max-pixels 0", /an integer from 1 to/],
    ["none.png b", /cannot read none.png/],
  ],
  "images render": [
    ["a b --variants v.json --fit cover", /--variants replaces --fit/],
    ["a b --update", /--update needs --check/],
    ["a b --width wide", /an integer from 1 to 12000/],
    ["none.png b.png --width 5", /cannot read none.png/],
  ],
  "images sign": [
    ["/a --key k --key-env K", /only one of them/],
    ["/a --key k --expires soon", /--expires must be/],
  ],
  "store export": [
    ["--data a.db --json", /--json needs a file name/],
    ["--data none.db", /cannot read none.db/],
  ],
  "store import": [
    ["--data= a.jsonl", /--data is missing/],
    ["--data new.db none.jsonl", /cannot read none.jsonl/],
  ],
  "store reindex": [["--data none.db", /cannot read none.db/]],
  "store observe": [
    ["--data a.db names.txt", /--account is missing/],
    ["--data a.db --account a,b -", /standard input can be read only once/],
    ["--data a.db --account a/b n.txt", /--account must be/],
    ["--data a.db --account a none.txt", /none.txt/],
  ],
  "queue publish": [
    [`--account ${Array.from({ length: 101 }, (_, i) => `a${i}`)} a.png`, /at most 100 accounts; found 101/],
    ["--account a a.png", /--queue is missing/],
  ],
  "queue work": [
    ["--metrics-host h", /--metrics-host needs --metrics-port/],
    ["--slots 0", /an integer from 1 to 64/],
    ["--queue postgres://h/q --data edge.db", /must be a database/],
  ],
  "queue status": [["--queue mysql://a", /--queue must be/]],
  "queue setup": [
    ["--replicas 6", /an integer from 1 to 5/],
    ["--queue postgres://h/q --synced", /setting of queues in NATS/],
  ],
  "queue dead list": [["--limit 0", /an integer from 1 to 10000/]],
  "queue dead retry": [
    ["--all 5", /exclude each other/],
    ["", /expected ids, or --all/],
    ["5 --limit 2", /--limit needs --all/],
  ],
  "queue dead drop": [["--all 5", /exclude each other/]],
  mcp: [["world.json", /unexpected argument/]],
  explain: [["no-such-rule --json", /unknown rule or word `no-such-rule`/]],
  complete: [["tcsh", /bash, zsh, fish, powershell/]],
};

describe("missing files, wrong types and options that exclude each other", () => {
  test("every command has a case", () => {
    expect(Object.keys(wrong).sort()).toEqual(commands.map(({ name }) => name).sort());
  });

  test.each(
    Object.entries(wrong).flatMap(([name, cases]) =>
      cases.map(([words, message]) => [name, words, message] as const),
    ),
  )("%s %s", async (name, words, message) => {
    await expectUsageError([...name.split(" "), ...words.split(" ").filter(Boolean)], message);
  });
});
