/** Lines of JSON, as `jq -c` writes them: saved responses, their objects and lists of these. */
import { readFileSync } from "node:fs";
import { worldFrom } from "edgeproof/world";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseJsonOrLines } from "../../src/core/json/json-lines.ts";
import { edgeproof } from "../support/cli.ts";

const folder = new URL("../../fixtures/own-configuration/", import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const zone = read("api-zone.json");
const pages = [read("api-operations-page1.json"), read("api-operations-page2.json")];
const operations: readonly object[] = pages.flatMap(({ result }) => result);
const lines = (values: readonly unknown[], end = "\n") =>
  values.map((value) => JSON.stringify(value) + end).join("");
const zoneFile = { name: "zone.json", text: JSON.stringify(zone) };
const hostsOf = (text: string) =>
  worldFrom([zoneFile, { name: "o.ndjson", text }]).world.zones?.[0]?.token_validation?.operations?.map(
    ({ endpoint }) => endpoint,
  );

describe("a world", () => {
  const expected = hostsOf(JSON.stringify(pages));

  test.each<[string, string]>([
    ["a response a line", lines(pages)],
    ["an object a line", lines(operations)],
    ["a list a line", lines(pages.map(({ result }) => result))],
    ["responses and objects", lines([pages[0], ...pages[1].result])],
    ["CRLF, empty lines, no last line end", `\r\n${lines(operations, "\r\n\r\n").trimEnd()}`],
  ])("is the same of %s", (_title, text) => {
    expect(expected).toHaveLength(4);
    expect(hostsOf(text)?.toSorted()).toEqual(expected?.toSorted());
  });

  test("a single object is read, and has its place", () => {
    const { sources, world } = worldFrom([zoneFile, { name: "o.ndjson", text: lines([operations[0]]) }]);
    expect(world.zones?.[0]?.token_validation?.operations).toHaveLength(1);
    expect(sources.locate("/zones/0/token_validation/operations/0/host")?.pointer).toBe("/host");
  });
});

describe("check -", () => {
  const app = { protocol: "tcp/22", dns: { type: "CNAME", name: "ssh.example.com" }, tls: "odd" };

  test("reads lines of objects and of applications, with the line of each finding", async () => {
    const rule = { id: "r1", title: "t", action: "block", enabled: true, expression: "(", selector: {} };
    const rules = await edgeproof(["check", "-"], lines([zone.result, rule]));
    expect([rules.code, rules.out]).toEqual([1, expect.stringMatching(/^-:2:\d+: error /m)]);
    const apps = await edgeproof(
      ["check", "-"],
      lines([{ ...app, tls: "off", origin_direct: ["tcp://192.0.2.1:22"] }, app]),
    );
    expect([apps.code, apps.out]).toEqual([1, expect.stringMatching(/^-:2:\d+: error /m)]);
  });

  test.each<[string, string, RegExp]>([
    ["a truncated last line", lines(operations).slice(0, -20), /standard input:4:\d+: .*ends too early/],
    ["a broken line", `{"a":1}\n{"a":}\n{"a":3}\n`, /standard input:2:6: .*`}` is not allowed here/],
    ["text behind a line", `{"a":1}\n{"a":2} x\n`, /standard input:2:9: .*`x` is not allowed here/],
    ["two values in a line", `{"a":1}\n{"a":2}{"a":3}\n`, /standard input:2:8: .*begins a second value/],
    [
      "values of several lines",
      operations.map((operation) => JSON.stringify(operation, null, 2)).join("\n"),
      /standard input:\d+:1: .*`\{` begins a second value; .*`jq -c`/,
    ],
    ["a line of another kind", `${lines(operations)}"x"\n`, /-:5:1: .*found `"?x"?`/],
    [
      "a response with an error",
      lines([pages[0], { success: false, errors: [{ code: 9109, message: "no" }] }]),
      /-:2:1: .*The response is an error: `9109`/,
    ],
  ])("%s is exit code 2 with its place", async (_title, text, message) => {
    const { code, out, err } = await edgeproof(["check", "-"], text);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(message)]);
  });
});

test("lines are the array of their values, in the same places", () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 2 });
  fc.assert(
    fc.property(objects, (values) => {
      const parsed = parseJsonOrLines(lines(values));
      if (!parsed.ok) throw new Error("not read");
      expect(parsed.value.value).toEqual(JSON.parse(JSON.stringify(values)));
      values.forEach((_, i) => {
        expect(parsed.value.locate(`/${i}`)).toEqual({ line: i + 1, column: 1 });
      });
    }),
  );
});
