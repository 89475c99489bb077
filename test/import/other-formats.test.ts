/** Files that are not read: each is answered with what to run instead, and no file that is read is taken for one. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { otherFormatHint } from "../../src/import/other-formats.ts";
import { requestsFrom } from "../../src/import/traffic/requests-from.ts";
import { worldFrom } from "../../src/import/world-from.ts";

const others: readonly (readonly [name: string, text: string, hint: RegExp])[] = [
  [
    "a configuration of Terraform",
    '# zones\nresource "cloudflare_zone" "main" {\n}\n',
    /terraform show -json plan\.bin > plan\.json/,
  ],
  ["a saved plan", "PK\u0003\u0004\u0014", /terraform show -json plan\.bin > plan\.json/],
  [
    "the log of a plan",
    '{"@level":"info","@message":"Terraform 1.9","@module":"terraform.ui","type":"version"}\n{"@module":"terraform.ui","type":"planned_change"}\n',
    /log of `terraform plan -json`.*give plan\.json/,
  ],
  ["a script of k6", "import http from 'k6/http';\nexport default function () {}", /k6/],
  ["a script of k6 with named imports", "import { check } from 'k6';\n", /k6/],
  ["a call of fetch", 'fetch("https://api.example.com/v1", {\n  "method": "GET"\n});', /`fetch`.*cURL/],
  ["a call of fetch that is awaited", "await fetch('https://api.example.com/')", /`fetch`.*cURL/],
  [
    "a command of PowerShell",
    "$session = New-Object Microsoft.PowerShell.Commands.WebRequestSession\n",
    /PowerShell.*cURL/,
  ],
  ["another command of PowerShell", 'Invoke-WebRequest -Uri "https://api.example.com/"', /PowerShell.*cURL/],
  ["a command of HTTPie", "http --verbose POST https://api.example.com/v1 name=x", /HTTPie/],
  ["a short command of HTTPie", "https api.example.com/v1", /HTTPie/],
  [
    "requests of an editor",
    "### list\nGET https://api.example.com/v1\nAuthorization: Bearer x\n",
    /\.http.*cURL/,
  ],
  ["requests with variables", "@host = api.example.com\nPOST {{host}}/v1 HTTP/1.1\n", /\.http.*cURL/],
];

test.each(others)("%s", (name, text, hint) => {
  const problems = [expect.objectContaining({ message: expect.stringMatching(hint) })];
  expect(otherFormatHint(text)).toMatch(hint);
  // Its own reader reads it, where a configuration is expected.
  if (name !== "a configuration of Terraform")
    expect(() => worldFrom([{ name: "file", text }])).toThrow(expect.objectContaining({ problems }));
  // Each line of it is an object, as in a log.
  if (name === "the log of a plan") expect(requestsFrom(text).requests).toEqual([]);
  else expect(() => requestsFrom(text)).toThrow(expect.objectContaining({ problems }));
});

test.each(["fixtures/traffic", "fixtures/own-configuration"])("no file of %s is taken for one", (folder) => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const readable = files.filter(({ name }) => !name.endsWith(".tf"));
  expect(readable.length).toBeGreaterThan(2);
  for (const { name, parentPath } of readable)
    expect([name, otherFormatHint(readFileSync(`${parentPath}/${name}`, "utf8"))]).toEqual([name, undefined]);
});

test("a long start of one kind takes no time", () => {
  const parts = ["--a ", "### x\n", "@a=1\n", "# x\n", "GET ", "http ", " ", "resource "];
  for (const part of parts)
    for (const first of ["", "http "])
      expect(otherFormatHint(first + part.repeat(20_000)) ?? "").not.toContain("\n");
}, 20_000);

test("recorded traffic is no world, but input of a replay", () => {
  const text = '{"log": {"entries": []}}';
  expect(() => worldFrom([{ name: "traffic.har", text }])).toThrow(
    /traffic\.har:1:1: The file is recorded traffic \(HAR\), which `npx edgeproof replay` reads\./,
  );
});
