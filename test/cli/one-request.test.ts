/** `edgeproof eval` with the address of one request, and `--given` of `eval` and `replay`. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { requestOfWords } from "../../src/cli/input/requests/request-of-words.ts";
import { requestsFrom } from "../../src/import/traffic/requests-from.ts";
import { temporaryFolder } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";
import { runs } from "../support/runs.ts";

const folder = await temporaryFolder();
const rules = [
  ["method", 'http.request.method eq "PUT"', "block"],
  ["header", 'any(http.request.headers["x-plan"][*] eq "free")', "block"],
  ["body", 'http.request.body.raw contains "a=1&b=2"', "block"],
  ["cookie", 'http.request.cookies["a"][0] eq "b"', "block"],
  ["agent", 'http.user_agent eq "probe"', "block"],
  ["user", 'http.request.headers["authorization"][0] eq "Basic YWRhOnB3"', "block"],
  ["country", 'ip.src.country eq "DE"', "managed_challenge"],
  ["address", "ip.src in {192.0.2.0/24}", "js_challenge"],
  ["score", "cf.bot_management.score lt 30", "block"],
].map(([id, expression, action]) => ({ id, expression, action }));
const world = join(folder, "world.json");
await writeFile(
  world,
  JSON.stringify({
    zones: [
      {
        id: "z1",
        name: "example.com",
        plan: "enterprise",
        rulesets: [{ id: "s1", kind: "zone", phase: "http_request_firewall_custom", rules }],
      },
    ],
  }),
);
const quiet = ["ip.src=203.0.113.1", "ip.src.country=US", "cf.bot_management.score=99"];
const given = (...fields: readonly string[]) => fields.flatMap((field) => ["--given", field]);

/** The rule that decided. */
async function deciding(words: readonly string[]): Promise<string | undefined> {
  const { code, out, err } = await edgeproof(["eval", "--world", world, ...words, "--json"]);
  expect(code, err).toBe(0);
  return JSON.parse(out)[0].verdict.custom.rule?.rule;
}

test.each([
  [["-X", "PUT"], "method"],
  [["-XPUT"], "method"],
  [["--method", "PUT"], "method"],
  [["-H", "X-Plan: free"], "header"],
  [["-d", "a=1", "--data", "b=2"], "body"],
  [["--data-raw", "a=1", "--data-binary", "b=2"], "body"],
  [["-X", "PUT", "--compressed", "--insecure", "--location", "-k", "-L", "-g", "-s"], "method"],
  [["-b", "a=b"], "cookie"],
  [["-A", "probe"], "agent"],
  [["-u", "ada:pw"], "user"],
  [["--given", "ip.src.country=DE"], "country"],
  [["--given", "ip.src=192.0.2.9"], "address"],
  [["--given", "cf.bot_management.score=12"], "score"],
  [[], undefined],
])("%j is decided by the rule %s", async (words, rule) => {
  const fields = quiet.filter((field) => !words.some((word) => word.startsWith(field.replace(/=.*/, "="))));
  expect(await deciding(["https://api.example.com/x", ...words, ...given(...fields), "-d", "c=3"])).toBe(
    rule,
  );
});

test("a form that a browser copies is a body, although it begins with dashes", async () => {
  const form = '------X\r\nContent-Disposition: form-data; name="q"\r\n\r\na=1&b=2\r\n------X--\r\n';
  const words = ["https://api.example.com/x", "--data-raw", form, ...given(...quiet)];
  expect(await deciding(words)).toBe("body");
});

test.each([
  [["https://api.example.com/", "-H", "no colon"], "--header must be `name: value`"],
  [["https://api.example.com/", "-d", "@file"], "--data must be the body itself: files are not read"],
  [["https://api.example.com/", "-b", "jar.txt"], "--cookie must be `name=value`"],
  [["https://api.example.com/", "-X", "a b"], "--method must be a method such as `PUT`"],
  [["--compressed"], "--requests is missing"],
  [["--insecure", "--requests", "x.json"], "--compressed is of one request, whose address is missing"],
  [["https://api.example.com/", "-Z"], "unknown option `-Z`"],
  [["ftp://api.example.com/"], "cannot be requested: the URL is not an absolute http or https URL"],
  [["https://a.example.com/", "https://b.example.com/"], "expected at most 1 address; found 2"],
  [["-X", "PUT"], "--requests is missing"],
  [
    ["https://api.example.com/", "--requests", "x.json"],
    "expected an address or files of requests; found both",
  ],
  [["--requests", "x.json", "-X", "PUT"], "--method is of one request, whose address is missing"],
  [["https://api.example.com/", "--given", "country"], "--given must be `field=value`"],
  [["https://api.example.com/", "--given", "ip.src.contry=DE"], "ip.src.country"],
  [["https://api.example.com/", "--given", "cf.bot_management.score=many"], "must be an Int"],
  [["https://api.example.com/", "--given", "ip.src=here"], "must be an IPv4 or IPv6 address"],
])("%j is a usage error", async (words, message) => {
  const { code, out, err } = await edgeproof(["eval", "--world", world, ...words]);
  expect([code, out, err]).toEqual([2, "", expect.stringContaining(message)]);
});

test.each([
  ["managed_challenge", "DE", 0],
  ["challenge", "DE", 0],
  ["js_challenge", "DE", 1],
  ["managed_challenge", "US", 1],
])("the expectation %s for a client in %s ends with %d", async (expected, country, code) => {
  const address = "https://api.example.com/";
  const fields = ["ip.src=203.0.113.1", `ip.src.country=${country}`, "cf.bot_management.score=99"];
  const line = ["eval", "--world", world, address, "-d", "", ...given(...fields), "--expect", expected];
  expect((await edgeproof(line)).code).toBe(code);
  const request = { url: address, body: "", expect: expected };
  const words = ["eval", "--world", world, "--requests", "-", ...given(...fields)];
  const { code: ofFile, err } = await edgeproof(words, JSON.stringify(request));
  expect([ofFile, code === 1 && err.includes(`expected ${expected}, got `)]).toEqual([code, code === 1]);
});

test("a replay uses the address of a log, and given values where the recording has none", async () => {
  const log = (ip: string) => `${ip} - - [25/Nov/2026:10:00:00 +0100] "GET /x HTTP/1.1" 200 5 "-" "x"\n`;
  const traffic = join(folder, "access.log");
  await writeFile(traffic, log("192.0.2.1") + log("203.0.113.7") + log("2001:db8::1"));
  const only = join(folder, "address.json");
  const text = JSON.stringify({
    zones: [
      {
        id: "z1",
        name: "example.com",
        plan: "enterprise",
        rulesets: [
          { id: "s1", kind: "zone", phase: "http_request_firewall_custom", rules: rules.slice(6, 8) },
        ],
      },
    ],
  });
  await writeFile(only, text);
  const replay = async (...words: readonly string[]) => {
    const line = ["replay", "--world", only, "--host", "api.example.com", traffic, "--json", ...words];
    return JSON.parse((await edgeproof(line)).out).verdicts;
  };
  expect(await replay(...given("ip.src.country=US"))).toMatchObject({ allow: 2, challenge: 1 });
  expect(await replay(...given("ip.src.country=DE"))).toMatchObject({ allow: 0, challenge: 3 });
  expect(await replay(...given("ip.src.country=US", "ip.src=192.0.2.9"))).toMatchObject({ challenge: 1 });
});

test("the request of a command line is that of the same command of curl", () => {
  const text = fc.stringMatching(/^[a-zA-Z0-9 =&%"\\:;,.-]{1,12}$/);
  const quoted = (word: string) => `'${word}'`;
  fc.assert(
    fc.property(
      fc.option(fc.constantFrom("PUT", "PATCH", "GET"), { nil: undefined }),
      fc.array(text, { maxLength: 3 }),
      fc.array(text, { maxLength: 2 }),
      fc.array(text, { maxLength: 2 }),
      fc.option(text, { nil: undefined }),
      fc.option(text, { nil: undefined }),
      (method, values, data, cookies, userAgent, user) => {
        const header = values.map((value, i) => `x-${i}: ${value}`);
        const cookie = cookies.map((value) => `c=${value}`);
        const url = "https://api.example.com/x?y=1";
        const words = [
          ...(method === undefined ? [] : ["--request", method]),
          ...header.flatMap((value) => ["--header", value]),
          ...data.flatMap((value) => ["--data-raw", value]),
          ...cookie.flatMap((value) => ["--cookie", value]),
          ...(userAgent === undefined ? [] : ["--user-agent", userAgent]),
          ...(user === undefined ? [] : ["--user", user]),
        ];
        const [recorded] = requestsFrom(`curl ${[url, ...words].map(quoted).join(" ")}`).requests;
        const [line] = requestOfWords(url, { method, header, data, cookie, userAgent, user }).requests;
        expect(line).toMatchObject({
          method: recorded?.method,
          url: recorded?.url,
          headers: recorded?.headers,
          ...(recorded?.given?.body !== undefined && { body: recorded.given.body }),
        });
      },
    ),
    { numRuns: runs(1_000, 50) },
  );
});

test("a field that does not exist is compared with fields only", async () => {
  const words = ["eval", "--world", world, "https://api.example.com/", "--given"];
  expect((await edgeproof([...words, "foo=3"])).err).toBe(
    "edgeproof: --given foo=3: `foo` is not a field of custom rules; docs/reference.md lists the fields.\n",
  );
  expect((await edgeproof([...words, "ip.src.contry=DE"])).err).toContain("did you mean `ip.src.country`?");
});

test("an undecided verdict names the options that state what it needs", async () => {
  const words = ["eval", "--world", world, "https://api.example.com/", "-d", "x"];
  expect((await edgeproof(words)).err).toMatch(
    /run: npx edgeproof eval \.\.\. --given ip\.src\.country=\.\.\. --given ip\.src=\.\.\./,
  );
  expect((await edgeproof([...words, "--expect", "block"])).err).toContain(", or --given ip.src.country=...");
  const traffic = join(folder, "traffic.sh");
  await writeFile(traffic, "curl https://api.example.com/ -d x\n");
  const rules = [{ id: "country", expression: 'ip.src.country eq "DE"', action: "block" }];
  const rulesets = [{ id: "s1", kind: "zone", phase: "http_request_firewall_custom", rules }];
  const countries = join(folder, "countries.json");
  await writeFile(countries, JSON.stringify({ zones: [{ id: "z1", name: "example.com", rulesets }] }));
  const replayed = await edgeproof(["replay", "--world", countries, traffic]);
  expect(replayed.err + replayed.out).toContain("run: npx edgeproof replay ... --given ip.src.country=...");
});

test("a kind of challenge as the action of a decision is rejected with the way to write it", async () => {
  const request = { url: "https://api.example.com/", expect: { action: "managed_challenge" } };
  const words = ["eval", "--world", world, "--requests", "-"];
  const { code, err } = await edgeproof(words, JSON.stringify(request));
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/: \/expect\/action: .*write `"expect": "managed_challenge"`/),
  ]);
});
