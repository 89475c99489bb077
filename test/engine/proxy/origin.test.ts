import { describe, expect, test } from "vitest";
import { parseHostname } from "../../../src/engine/proxy/grammar/hostname.ts";
import { parseOrigin, printOrigin } from "../../../src/engine/proxy/grammar/origin.ts";
import { parsePorts, printPorts } from "../../../src/engine/proxy/grammar/port.ts";
import {
  compileProtocols,
  parseProtocol,
  printProtocol,
} from "../../../src/engine/proxy/grammar/protocol.ts";
import { parseUuid, standardUuid } from "../../../src/engine/proxy/grammar/uuid.ts";

describe("origin addresses", () => {
  test.each(["tcp://192.0.2.1:22", "udp://192.0.2.1:1000-2000", "tcp://[2001:db8::1]:443-450"])(
    "%s",
    (text) => {
      const result = parseOrigin(text);
      expect(result.ok && printOrigin(result.value)).toBe(text);
    },
  );

  test("an address is parsed into its parts", () => {
    expect(parseOrigin("tcp://[2001:db8::1]:443-450")).toEqual({
      ok: true,
      value: {
        transport: "tcp",
        ip: { family: 6, words: [0x20010db8, 0, 0, 1] },
        ports: { first: 443, last: 450 },
      },
    });
  });

  test.each([
    ["", "syntax", 0],
    ["tcp:/192.0.2.1:22", "syntax", 0],
    ["TCP://192.0.2.1:22", "syntax", 0],
    ["tcp://", "syntax", 6],
    ["tcp://:22", "syntax", 6],
    ["tcp://example.com:22", "syntax", 6],
    ["tcp://192.0.2.1", "port", 15],
    ["tcp://192.0.2.1:", "port", 16],
    ["tcp://192.0.2.1:22-", "port", 19],
    ["tcp://192.0.2.1:22-22", "port", 19],
    ["tcp://192.0.2.1:22 ", "port", 16],
    ["tcp://[2001:db8::1]", "port", 19],
    ["tcp://[2001:db8::1]443", "port", 19],
    ["tcp://[2001:db8::1:443", "syntax", 22],
    ["tcp://[192.0.2.1]:22", "syntax", 16],
    ["tcp://2001:db8::1:443", "brackets", 6],
    ["tcp://::1", "brackets", 6],
    ["tcp://a:b:c:22", "syntax", 6],
    ["tcp://0x7f.1:22", "spelling", 7],
    ["tcp://0177.0.0.1:22", "spelling", 6],
    ["tcp://127.1.:22", "spelling", 12],
    ["tcp://[fe80::1%25eth0]:22", "spelling", 14],
    ["tcp://fe80::1%eth0:22", "spelling", 6],
  ])("%j is a fault of %s at offset %i", (text, kind, offset) => {
    expect(parseOrigin(text)).toMatchObject({ ok: false, problems: [{ kind, offset }] });
  });

  test("missing brackets are fixed only when nothing else is wrong", () => {
    const fixed = (text: string) => {
      const result = parseOrigin(text);
      return result.ok ? undefined : result.problems[0].fixed;
    };
    expect(fixed("tcp://2001:db8::1:443")).toBe("tcp://[2001:db8::1]:443");
    expect(fixed("udp://2001:db8::1:443-450")).toBe("udp://[2001:db8::1]:443-450");
    expect(fixed("tcp://2001:db8::1:0443")).toBeUndefined();
    expect(fixed("tcp://2001:db8::1")).toBeUndefined();
  });
});

describe("ports", () => {
  test.each(["1", "22", "65535", "1-65535", "1000-2000"])("%s", (text) => {
    const result = parsePorts(text);
    expect(result.ok && printPorts(result.value)).toBe(text);
  });

  test.each([
    ["", 0],
    ["0", 0],
    ["022", 0],
    ["65536", 0],
    ["1e3", 0],
    ["+22", 0],
    ["-22", 0],
    ["22-", 3],
    ["22-21", 3],
    ["22-22", 3],
    ["22-23-24", 3],
    ["99999999999999999999", 0],
  ])("rejects %j at offset %i", (text, offset) => {
    expect(parsePorts(text)).toMatchObject({ ok: false, problems: [{ offset }] });
  });
});

test.each([
  ["ssh", "tcp/22"],
  ["rdp", "tcp/3389"],
  ["minecraft", "tcp/25565"],
  ["udp/1000-2000", "udp/1000-2000"],
])("the protocol %s is %s", (text, canonical) => {
  const result = parseProtocol(text);
  expect(result.ok && printProtocol(result.value)).toBe(canonical);
});

test("faults of a protocol's ports have their offset in the whole string", () => {
  expect(parseProtocol("tcp/22-21")).toMatchObject({ ok: false, problems: [{ offset: 7 }] });
  expect(parseProtocol("constructor")).toMatchObject({ ok: false, problems: [{ offset: 0 }] });
});

test("a set of protocols returns the ports inside and outside of it", () => {
  const range = (transport: "tcp" | "udp", first: number, last: number) => ({
    transport,
    ports: { first, last },
  });
  const set = compileProtocols([
    range("tcp", 30, 40),
    range("tcp", 10, 20),
    range("tcp", 21, 22),
    range("udp", 1, 9),
  ]);
  expect(set.outside(range("tcp", 12, 22))).toEqual([]);
  expect(set.outside(range("tcp", 5, 45))).toEqual([
    { first: 5, last: 9 },
    { first: 23, last: 29 },
    { first: 41, last: 45 },
  ]);
  expect(set.inside(range("tcp", 5, 35))).toEqual([
    { first: 10, last: 22 },
    { first: 30, last: 35 },
  ]);
  expect(set.inside(range("udp", 10, 20))).toEqual([]);
});

describe("host names", () => {
  test.each([
    ["Origin.Example.com.", "origin.example.com"],
    ["a.b", "a.b"],
    ["_ssh._tcp.example.com", "_ssh._tcp.example.com"],
    ["xn--bcher-kva.example", "xn--bcher-kva.example"],
    ["1-2-3-4.example.com", "1-2-3-4.example.com"],
    ["1.2.3.4.example", "1.2.3.4.example"],
    [`${"a".repeat(63)}.com`, `${"a".repeat(63)}.com`],
  ])("%s", (text, folded) => {
    expect(parseHostname(text)).toEqual({ ok: true, value: folded });
  });

  test.each([
    ["", 0],
    [".", 0],
    ["localhost", 9],
    ["a..b", 2],
    [".a.b", 0],
    ["a.b..", 4],
    ["-a.b", 0],
    ["a-.b", 1],
    ["bücher.example", 1],
    ["a b.example", 1],
    ["*.example.com", 0],
    ["1.2.3.4", 6],
    ["a.0x1f", 2],
    ["[::1].b", 0],
    [`${"a".repeat(64)}.com`, 0],
  ])("rejects %j at offset %i", (text, offset) => {
    expect(parseHostname(text)).toMatchObject({ ok: false, problems: [{ offset }] });
  });

  test("at most 253 characters are allowed", () => {
    expect(parseHostname(`${"a.".repeat(126)}b`).ok).toBe(true);
    expect(parseHostname(`${"a.".repeat(126)}bc`)).toMatchObject({ ok: false, problems: [{ offset: 253 }] });
  });
});

describe("UUIDs", () => {
  test("upper case is accepted and becomes lower case", () => {
    const id = "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415";
    expect(parseUuid(id.toUpperCase())).toEqual({ ok: true, value: id });
  });

  test.each([
    ["", 0],
    ["f70ff985", 8],
    ["f70ff985-a4ef-4643-bbbc-4a0ed4fc841", 35],
    ["f70ff985-a4ef-4643-bbbc-4a0ed4fc84155", 36],
    ["f70ff985-a4ef-4643-bbbc-4a0ed4fc841g", 35],
    ["f70ff985_a4ef-4643-bbbc-4a0ed4fc8415", 8],
  ])("rejects %j at offset %i", (text, offset) => {
    expect(parseUuid(text)).toMatchObject({ ok: false, problems: [{ offset }] });
  });

  test("other notations with all digits are rewritten in the standard format", () => {
    const id = "f70ff985-a4ef-4643-bbbc-4a0ed4fc8415";
    for (const text of [
      id.replaceAll("-", ""),
      `{${id}}`,
      `urn:uuid:${id}`,
      id.toUpperCase().replaceAll("-", ""),
    ]) {
      expect(standardUuid(text)).toBe(id);
    }
    expect(standardUuid("f70ff985")).toBeUndefined();
  });
});
