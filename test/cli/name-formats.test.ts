/** Formats in which lists of names are published, and patterns as they are pasted. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";

async function found(input: string, pattern = "paypal:0") {
  const { code, out, err } = await edgeproof(
    ["brand", "match", "--pattern", pattern, "--format", "jsonl"],
    input,
  );
  const domains = out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as { domain: string }).domain);
  return { code, domains, err };
}

test("a zone file has each absolute owner name once, whatever the spaces and the order of its fields", async () => {
  const zone = [
    "$ORIGIN com.",
    "$TTL 86400",
    "; paypal-comment.com. IN NS ns.example.",
    "com.\t900\tin\tsoa\ta.gtld-servers.net. nstld.example. 1 2 3 4 5",
    "paypal-login.com.  172800  IN  NS  ns1.example.net.",
    "PAYPAL-LOGIN.com.\t172800\tin\tns\tns2.example.net.",
    "                   172800  IN  NS  ns3.example.net.",
    "my-paypal.com. NS ns.example.net.",
    "paypal-login.com. IN 60 DS 1 8 2 AA",
    'example.com. TXT "paypal.com"',
  ];
  expect(await found(zone.join("\n"))).toMatchObject({
    code: 0,
    domains: ["paypal-login.com", "my-paypal.com"],
  });
});

test("a relative owner name is an invalid line, because its zone is unknown", async () => {
  const { code, err } = await found("paypal IN NS ns.example.net.\nexample.com. IN NS ns.example.net.");
  expect(code).toBe(1);
  expect(err).toContain("An owner name of a zone file must end with a dot; found `paypal`.");
});

test("a hosts file has the names after the address, up to a comment", async () => {
  const hosts =
    "127.0.0.1 localhost\n0.0.0.0 paypal-a.com paypal-b.com # paypal-c.com\n::1 ip6-loopback\nfe80::1%lo0 paypal-d.com";
  const { domains } = await found(hosts);
  expect(domains).toEqual(["paypal-a.com", "paypal-b.com", "paypal-d.com"]);
});

test("a name with a space that is neither is an invalid line", async () => {
  expect((await found("paypal com\npaypal.com")).err).toContain(
    "A host name cannot contain ` `; found `paypal com`.",
  );
});

test("dots in brackets are dots", async () => {
  expect((await found("hxxps[:]//login.paypal[.]com/x")).domains).toEqual(["login.paypal.com"]);
});

test.each(["https://paypal.com", "www.paypal.com", "*.paypal.com", "PayPal.com®"])(
  "the pattern %s is searched as the name in it, with a note",
  async (pattern) => {
    const { domains, err } = await found("secure.paypal.com\nexample.com", `${pattern}:0`);
    expect(domains).toEqual(["secure.paypal.com"]);
    expect(err).toMatch(/^note: The pattern `.*` is searched as `PayPal\.com`\.$/im);
  },
);

test("gzip data that ends early is an error that says that the results are partial", async () => {
  const names = gzipSync(Array.from({ length: 20_000 }, (_, i) => `paypal${i * 7919}.com`).join("\n"));
  const file = join(mkdtempSync(join(tmpdir(), "edgeproof-")), "names.gz");
  writeFileSync(file, names.subarray(0, names.length / 2));
  const { code, err } = await edgeproof(["brand", "match", "--pattern", "paypal:0", file]);
  expect(code).toBe(2);
  expect(err).toMatch(
    /cannot decompress .*: unexpected end of file; results of what was read before are partial/,
  );
});

test("a line is a record of a zone file only with a class, a type in upper case, or an absolute owner", async () => {
  const words = ["brand", "match", "--pattern", "paypal:1", "--format", "jsonl"];
  const { err } = await edgeproof(words, "not a name\n");
  expect(err).toContain("A host name cannot contain ` `; found `not a name`.");
  for (const line of ["paypal.com. a 192.0.2.1", "paypal.com. IN A 192.0.2.1", "paypal.com. in a 192.0.2.1"])
    expect((await edgeproof(words, `${line}\n`)).out).toContain('"paypal.com"');
  for (const line of ["paypal in a 192.0.2.1", "paypal A 192.0.2.1"])
    expect((await edgeproof(words, `${line}\n`)).err).toContain("must end with a dot; found `paypal`");
});
