/** `edgeproof replay`: recorded traffic in each format, exit codes, and that secrets are never printed. */
import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

let folder: string;
const at = (name: string) => join(folder, name);
const sample = (name: string) => `fixtures/traffic/${name}`;
const samples = ["traffic.har", "http_requests.ndjson", "requests.curl.txt"].map(sample);

const resultOf = (name: string) =>
  JSON.parse(readFileSync(`fixtures/own-configuration/${name}`, "utf8")).result;

/** The configuration that the samples were recorded with. */
function worldOf(rules: readonly object[]): object {
  const configs = resultOf("api-token-configs.json").map(({ id, token_sources, credentials }: Config) => {
    return { id, token_sources, credentials };
  });
  const pages = ["api-operations-page1.json", "api-operations-page2.json"].flatMap(resultOf) as Operation[];
  const operations = pages
    .filter(({ host }) => !host.includes("{"))
    .map(({ operation_id, method, host, endpoint }) => ({ operation_id, method, host, endpoint }));
  return { zones: [{ id: "z1", name: "example.com", token_validation: { configs, rules, operations } }] };
}

interface Config {
  readonly id: string;
  readonly token_sources: unknown;
  readonly credentials: unknown;
}

interface Operation {
  readonly operation_id: string;
  readonly method: string;
  readonly host: string;
  readonly endpoint: string;
}

interface Rule {
  readonly selector: { readonly include: unknown; readonly exclude: unknown };
  readonly [member: string]: unknown;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  const rules = resultOf("api-token-rules.json").map(
    ({ id, title, action, enabled, expression, selector }: Rule) => {
      const { include, exclude } = selector;
      return {
        id,
        title,
        action,
        enabled,
        expression,
        selector: { include, ...(exclude !== null && { exclude }) },
      };
    },
  );
  await writeFile(at("new.json"), JSON.stringify(worldOf(rules)));
  await writeFile(at("old.json"), JSON.stringify(worldOf(rules.slice(1))));
  await writeFile(at("log.ndjson.gz"), gzipSync(readFileSync(sample("http_requests.ndjson"))));
});

const replay = (...words: string[]) => edgeproof(["replay", "--world", at("new.json"), ...words]);

test("the samples are replayed: states of tokens, verdicts, and the answers of the edge", async () => {
  const { code, out, err } = await replay(...samples);
  expect([code, err]).toEqual([
    1,
    expect.stringContaining("3 requests not evaluated: 1 redacted, 2 stripped."),
  ]);
  expect(out.replaceAll("fixtures/traffic/", "")).toBe(`traffic.har: 5 requests
  1 never reached the edge: the URL has the scheme data
http_requests.ndjson: 4 requests
requests.curl.txt: 3 requests
  3 without a time: evaluated at the time of --now

tokens: 7 present, 2 absent, 1 redacted, 2 stripped
verdicts: 4 allow, 2 log, 3 block
not evaluated: 3 of 12, because the recording does not show what the verdict depends on

same answer as the edge on 1 of 1 request
`);
});

test("a pattern is every file that matches it, each once, and one without a file is an error", async () => {
  const { out } = await replay(sample("*.har"), sample("*.har"), sample("*.ndjson"));
  expect(out).toContain("traffic.har: 5 requests");
  expect(out).toContain("http_requests.ndjson: 4 requests");
  expect(out.match(/: 5 requests/g)).toHaveLength(1);
  const none = await replay(sample("*.pcap"));
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("no file matches the pattern")]);
});

test("changes against another world are shown with rule, operation, host, reason and examples, and exit with 1", async () => {
  const { code, out } = await replay("--against", at("old.json"), ...samples);
  expect(code).toBe(1);
  expect(out).toContain("3 verdicts changed\n");
  expect(out).toContain("  by host: api.example.com 3\n");
  expect(out).toContain(`
    new: block by "Enforce" (7f1b7a64-2d35-4c5b-9a8e-0d8f2f6f0c11): expired, missing
    fixtures/traffic/traffic.har:3 GET /v1/orders/43 (2026-11-22T10:00:03.300Z, token with kid YtzKq0v8hLw3s5w0n2u8ZkQm4r1Jc7pXo9aVbNe6T2E, claims iss sub iat exp)
`);
});

describe("changes exit with 0", () => {
  test("when they are expected", async () => {
    await writeFile(
      at("changes.json"),
      JSON.stringify([
        { rule: "Enforce", from: "allow", to: "block" },
        { operation: "56828eae-035a-4396-ba07-51c66d680a04", from: "log", to: "block" },
        { host: "api.example.com", from: "block", to: "allow" },
      ]),
    );
    const { code, out } = await replay(
      "--against",
      at("old.json"),
      "--expect",
      at("changes.json"),
      "--partial",
      ...samples,
    );
    expect(code).toBe(0);
    expect(out).toContain("3 verdicts changed, 3 as expected\n");
    expect(out).toContain('expected, but no request changed so: {"host":"api.example.com"');
  });

  test("when there are at most as many as allowed", async () => {
    const words = ["--against", at("old.json"), "--as", "valid", ...samples];
    expect((await replay("--allow-changes", "3", ...words)).code).toBe(0);
    expect((await replay("--allow-changes", "2", ...words)).code).toBe(1);
  });
});

test.each([
  ["valid", "6 allow, 3 log, 3 block"],
  ["missing", "4 allow, 3 log, 5 block"],
  ["expired", "5 allow, 2 log, 5 block"],
])("--as %s evaluates the requests whose token is not recorded", async (state, verdicts) => {
  const { out } = await replay("--as", state, ...samples);
  expect(out).toContain(`verdicts: ${verdicts}\n3 of them with an assumed token\n`);
  expect(out).not.toContain("not evaluated");
});

test("compressed records, and records of standard input, are read like plain ones", async () => {
  const read = async (file: string, input: Uint8Array = Buffer.alloc(0)) => {
    const { code, out } = await edgeproof(["replay", "--world", at("new.json"), "--json", file], input);
    const { files, ...report } = JSON.parse(out);
    return { code, requests: files[0].requests, report };
  };
  const plain = await read(sample("http_requests.ndjson"));
  expect(plain).toMatchObject({ code: 1, requests: 4 });
  expect(await read(at("log.ndjson.gz"))).toEqual(plain);
  expect(await read("-", readFileSync(sample("http_requests.ndjson")))).toEqual(plain);
});

describe("--format", () => {
  const run = (format: string, ...words: string[]) =>
    replay("--format", format, "--against", at("old.json"), ...words, ...samples);

  test("junit has a case for each file, the changes, the edge and the requests without a verdict", async () => {
    const { code, out } = await run("junit");
    expect(code).toBe(1);
    expect(out).toContain('tests="6" failures="1" errors="1" skipped="0"');
    expect(out).toMatch(
      /<failure message="2 requests to api\.example\.com, operation 56828eae-[^"]*: block by /,
    );
    expect(out).toContain("3 requests not evaluated: 1 redacted, 2 stripped");
  });

  test("expected and allowed changes are no failures", async () => {
    expect((await run("junit", "--allow-changes", "3")).out).toContain('failures="0"');
    expect((await run("github", "--allow-changes", "3")).out).not.toContain("::error");
  });

  test("sarif has the line of the first example", async () => {
    const [{ results }] = JSON.parse((await run("sarif")).out).runs;
    expect(results.map(({ ruleId }: { ruleId: string }) => ruleId)).toEqual([
      "undecided",
      "changed-verdict",
      "changed-verdict",
    ]);
    expect(results[1].locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: "fixtures/traffic/traffic.har" },
      region: { startLine: 154 },
    });
  });

  test.each(["junit", "github", "markdown", "sarif"])("%s has no secrets", async (format) => {
    const { out } = await run(format);
    expect(out).toContain("api.example.com");
    expect(out).not.toContain("eyJ");
  });
});

describe("secrets", () => {
  /** Every token of the samples, and its parts. */
  const secrets = () =>
    samples.flatMap((file) =>
      Array.from(readFileSync(file, "utf8").matchAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g)).flatMap(([token]) => [
        token,
        ...token.split("."),
      ]),
    );

  test("of the traffic are in no output", async () => {
    const found = secrets();
    expect(found.length).toBeGreaterThan(20);
    const runs = [
      await replay("--against", at("old.json"), ...samples),
      await replay("--against", at("old.json"), "--json", ...samples),
      await replay("--as", "valid", "--against", at("old.json"), "--json", ...samples),
    ];
    for (const { out, err } of runs) {
      expect(out).toContain("YtzKq0v8hLw3s5w0n2u8ZkQm4r1Jc7pXo9aVbNe6T2E");
      for (const secret of found) expect(out + err).not.toContain(secret);
    }
  });

  test("of broken or odd traffic are in no output", async () => {
    const [secret = ""] = secrets();
    const host = { ClientRequestHost: "api.example.com", ClientRequestURI: "/a" };
    const record = (more: object) => JSON.stringify({ ClientRequestMethod: "GET", ...host, ...more });
    const texts = [
      `{"log":{"entries":[{"request":{"method":"${secret}"}}, ${secret}`,
      `{"log":{"entries":[{"request":{"method":"${secret}","url":"${secret}://a","headers":[]},"startedDateTime":"${secret}"}]}}`,
      `curl ${secret}`,
      `curl -X ${secret} https://api.example.com/ -H 'authorization: Bearer ${secret}'`,
      `curl 'https://${secret}@api.example.com/${secret}?token=${secret}#${secret}'`,
      `${secret}`,
      [
        record({ RayID: secret }),
        record({ ClientRequestURI: `/reset/${secret}?t=${secret}` }),
        record({ RequestHeaders: { authorization: [secret] } }),
        record({ ClientRequestMethod: `${secret} x` }),
        record({
          RequestHeaders: { authorization: `Bearer ${secret}`, [secret]: secret },
          Cookies: { [secret]: secret },
        }),
        `{"a":${secret}`,
      ].join("\n"),
    ];
    for (const [i, text] of texts.entries()) {
      await writeFile(at(`odd-${i}`), text);
      for (const words of [[], ["--json"], ["--as", "valid"]]) {
        const { out, err } = await replay("--against", at("old.json"), ...words, at(`odd-${i}`));
        expect(out + err, text).not.toContain(secret);
        for (const part of secret.split(".")) expect(out + err, text).not.toContain(part);
      }
    }
  });

  test("and control characters of the traffic do not reach the terminal", async () => {
    const record = {
      ClientRequestMethod: "GET",
      ClientRequestHost: "api.example.com",
      ClientRequestURI: "/a",
    };
    const input = JSON.stringify({
      ...record,
      RayID: "\u001b[2J::error::x",
      RequestHeaders: { authorization: "x" },
    });
    const { out } = await edgeproof(
      ["replay", "--world", at("new.json"), "--against", at("old.json"), "-"],
      input,
    );
    expect(out).not.toContain("\u001b");
  });
});

describe("usage errors", () => {
  test.each<[string, () => string[], RegExp]>([
    ["no traffic", () => [], /expected at least 1 file of recorded traffic/],
    ["a missing file", () => [at("none.har")], /cannot read .*none\.har: the file does not exist/],
    [
      "an unknown format",
      () => ["package.json"],
      /cannot read package\.json: `log` must be an object; found nothing/,
    ],
    ["an unknown state", () => ["--as", "old", ...samples], /--as must be `valid`, `missing` or `expired`/],
    [
      "an unknown input",
      () => ["--input", "csv", ...samples],
      /--input must be `har`, `logpush`, `curl`, `postman`, `nginx`, `alb` or `cloudfront`/,
    ],
    [
      "a number",
      () => ["--allow-changes", "1.5", ...samples],
      /--allow-changes must be an integer from 0; found `1\.5`/,
    ],
    ["a time", () => ["--now", "today", ...samples], /--now must be an RFC 3339 time/],
    [
      "a list",
      () => ["--expect", "package.json", ...samples],
      /package\.json is not a list of expected changes:\n {2}\//,
    ],
    ["an old world", () => ["--against", "package.json", ...samples], /package\.json/],
  ])("%s", async (_what, words, message) => {
    const { code, err } = await replay(...words());
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });

  test("a world is needed", async () => {
    expect(await edgeproof(["replay", ...samples])).toMatchObject({ code: 2 });
  });

  test("a world without token validation is exit code 1, and names what to add", async () => {
    await writeFile(at("empty.json"), "{}");
    const { code, err } = await edgeproof(["replay", "--world", at("empty.json"), ...samples]);
    expect([code, err]).toEqual([1, expect.stringMatching(/Add a zone with rules to .*empty\.json/)]);
  });

  test("requests that are compared with nothing are exit code 1, and name what to add", async () => {
    const { code, err } = await replay(sample("requests.curl.txt"), "--as", "valid");
    expect([code, err]).toEqual([1, expect.stringContaining("set --against to compare with another world")]);
    expect((await replay(sample("requests.curl.txt"), "--as", "valid", "--allow-empty")).code).toBe(0);
  });

  test.each([
    ["nothing was read", "curl -k", /Nothing was evaluated\. Add a file with requests\./],
    [
      "no token is recorded",
      "curl https://api.example.com/v1/orders/1 -H @h -b c.txt",
      /does not show the tokens; set --as/,
    ],
  ])("a replay without a verdict is not a success: %s", async (_why, text, message) => {
    await writeFile(at("none.txt"), text);
    const { code, err } = await replay(at("none.txt"));
    expect([code, err]).toEqual([1, expect.stringMatching(message)]);
  });

  test.each([
    ["of zeros is given up at its start", "", 2, /the format is not known/],
    ["of one line has a line that is too long", '{"a":"', 1, /Add a file with requests/],
  ])("compressed data of 200 MB %s, in bounded memory", async (_what, start, exit, message) => {
    await writeFile(at("bomb.gz"), gzipSync(Buffer.concat([Buffer.from(start), Buffer.alloc(200_000_000)])));
    const before = process.memoryUsage().rss;
    const { code, err } = await replay(at("bomb.gz"));
    expect([code, err]).toEqual([exit, expect.stringMatching(message)]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test("truncated gzip data is an error after the records before it", async () => {
    const bytes = gzipSync(readFileSync(sample("http_requests.ndjson")));
    await writeFile(at("cut.gz"), bytes.subarray(0, bytes.length - 20));
    const { code, err } = await replay(at("cut.gz"));
    expect([code, err]).toEqual([2, expect.stringMatching(/cannot decompress .*cut\.gz/)]);
  });
});

test("a line that cannot be read is listed by its number and exit code 1, and the others are replayed", async () => {
  const lines = readFileSync(sample("http_requests.ndjson"), "utf8").trim().split("\n");
  const text = [lines[0], "{", lines[1]!.replace('"ClientRequestMethod":"GET",', ""), lines[3]].join("\n");
  const { code, out } = await edgeproof(["replay", "--world", at("new.json"), "-"], text);
  expect(code).toBe(1);
  expect(out).toContain(`standard input: 2 requests
  2 could not be read, by position:
    2: the line is not a JSON object
    3: \`ClientRequestMethod\` is missing; add it to the fields of the job
`);
});

test("a URL that Logpush may have changed is counted, and the request is replayed", async () => {
  const [line = ""] = readFileSync(sample("http_requests.ndjson"), "utf8").split("\n");
  const text = line.replace("?expand=items", "?expand=x{items}");
  const { out } = await edgeproof(["replay", "--world", at("new.json"), "-"], text);
  expect(out).toContain("standard input: 1 request\n  1 has `x{` in its URL, which Logpush may have written");
});

test("a world that its profile rejects is an error", async () => {
  const source = JSON.stringify(JSON.parse(readFileSync(at("new.json"), "utf8"))).replace(
    'headers[\\"authorization\\"]',
    'headers[\\"Authorization\\"]',
  );
  await writeFile(at("upper.json"), source);
  const { code, err } = await edgeproof([
    "replay",
    "--world",
    at("upper.json"),
    "--profile",
    "provider",
    ...samples,
  ]);
  expect([code, err]).toEqual([2, expect.stringMatching(/`Authorization`/)]);
});

test("verdicts that an undecided rule could change are undecided, with what to run, and marked", async () => {
  const words = [
    "replay",
    "--world",
    "fixtures/own-configuration/plan-v5-modules.json",
    sample("http_requests.ndjson"),
  ];
  const { code, out, err } = await edgeproof([...words, "--allow-changes", "9"]);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/warning undecided at [\s\S]* {2}run: npx edgeproof world /),
  ]);
  expect((await edgeproof([...words, "--allow-changes", "9", "--partial"])).code).toBe(0);
  expect(out).toContain("of them could change: a rule, key or host is undecided\n");
  expect(out).toMatch(/1 request to api\.example\.com, operation [\w-]+ \(could change\)/);
});

test("a stopped replay reports the requests so far and exits with 130", async () => {
  const stop = new AbortController();
  stop.abort();
  const { code, out } = await edgeproof(["replay", "--world", at("new.json"), ...samples], "", {
    signal: stop.signal,
  });
  expect([code, out]).toEqual([130, expect.stringContaining("tokens: 0 present")]);
});
