import { originAccess } from "edgeproof/proxy";
import { describe, expect, test } from "vitest";
import { type Cidr, parseCidr } from "../../../src/core/address/cidr.ts";
import { type Ip, parseIp, parseIpv4, parseIpv6, printIp } from "../../../src/core/address/ip.ts";
import { compilePrefixes } from "../../../src/engine/proxy/facts/prefix-table.ts";

function ip(text: string): Ip {
  const result = parseIp(text);
  if (!result.ok) throw new RangeError(`${text}: ${result.problems[0].message}`);
  return result.value;
}

describe("IPv4", () => {
  test.each([
    ["0.0.0.0", 0],
    ["192.0.2.1", 0xc0000201],
    ["255.255.255.255", 0xffffffff],
  ])("%s", (text, word) => {
    expect(parseIpv4(text)).toEqual({ ok: true, value: { family: 4, words: [0, 0, 0, word] } });
  });

  test.each([
    ["", 0],
    ["1.2.3", 5],
    ["1.2.3.4.5", 7],
    ["1.2.3.4.", 7],
    ["1..2.3", 2],
    ["256.0.0.1", 0],
    ["0177.0.0.1", 0],
    ["1.2.3.00", 6],
    ["0x7f.0.0.1", 1],
    ["1.2.3.4 ", 7],
    ["1.2.3.٤", 6],
    ["2130706433", 0],
  ])("rejects %j at offset %i", (text, at) => {
    expect(parseIpv4(text)).toMatchObject({ ok: false, problems: [{ offset: at }] });
  });
});

describe("IPv6", () => {
  test.each([
    ["::", [0, 0, 0, 0]],
    ["::1", [0, 0, 0, 1]],
    ["1::", [0x10000, 0, 0, 0]],
    ["2001:db8::1", [0x20010db8, 0, 0, 1]],
    ["2001:DB8:0:0:8:800:200C:417A", [0x20010db8, 0, 0x00080800, 0x200c417a]],
    ["::ffff:192.0.2.1", [0, 0, 0xffff, 0xc0000201]],
    ["1:2:3:4:5:6:7::", [0x10002, 0x30004, 0x50006, 0x70000]],
    ["::2:3:4:5:6:7:8", [0x2, 0x30004, 0x50006, 0x70008]],
    ["1:2:3:4:5:6:1.2.3.4", [0x10002, 0x30004, 0x50006, 0x01020304]],
  ])("%s", (text, words) => {
    expect(parseIpv6(text)).toEqual({ ok: true, value: { family: 6, words } });
  });

  test.each([
    ["", 0],
    [":", 0],
    [":::", 2],
    ["1:2:3:4:5:6:7", 13],
    ["1:2:3:4:5:6:7:8:9", 15],
    ["1:2:3:4::5:6:7:8", 16],
    ["1::2::3", 4],
    ["1:", 2],
    ["12345::", 0],
    ["g::", 0],
    ["fe80::1%eth0", 7],
    ["::1.2.3", 7],
    ["::01.2.3.4", 2],
    ["1:2:3:4:5:6:7:1.2.3.4", 14],
    ["::1.2.3.4:5", 9],
  ])("rejects %j at offset %i", (text, at) => {
    expect(parseIpv6(text)).toMatchObject({ ok: false, problems: [{ offset: at }] });
  });
});

test.each([
  // RFC 5952: lower case, the first longest run of zeros, no run of one, mapped addresses in dotted decimal.
  ["2001:DB8::1", "2001:db8::1"],
  ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
  ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
  ["0:0:0:0:0:0:0:0", "::"],
  ["1:0:0:0:0:0:0:0", "1::"],
  ["::ffff:c000:201", "::ffff:192.0.2.1"],
  ["192.0.2.1", "192.0.2.1"],
])("%s prints as %s", (text, printed) => {
  expect(printIp(ip(text))).toBe(printed);
});

test.each([
  ["10.0.0.0", 8],
  ["10.0.0.0/33", 9],
  ["10.0.0.0/08", 9],
  ["10.0.0.1/8", 9],
  ["10.0.0/8", 6],
  ["::/129", 3],
  ["2001:db8::1/64", 12],
])("%s is not a prefix: rejected at offset %i", (text, at) => {
  expect(parseCidr(text)).toMatchObject({ ok: false, problems: [{ offset: at }] });
});

test("lookup returns the value of the longest prefix", () => {
  const prefix = (text: string) => (parseCidr(text) as { value: Cidr }).value;
  const table = compilePrefixes([
    [prefix("10.0.0.0/8"), "wide"],
    [prefix("10.9.0.0/16"), "narrow"],
    [prefix("::/0"), "all"],
  ]);
  expect(table.lookup(ip("10.9.0.1"))).toBe("narrow");
  expect(table.lookup(ip("10.8.0.1"))).toBe("wide");
  expect(table.lookup(ip("11.0.0.1"))).toBeUndefined();
  expect(table.lookup(ip("::10.9.0.1"))).toBe("all");
});

test("the access check returns its reason, and allows documentation ranges", () => {
  expect(originAccess(ip("127.0.0.1"))).toBe("a loopback address");
  expect(originAccess(ip("::1"))).toBe("a loopback address");
  expect(originAccess(ip("::ffff:192.0.2.1"))).toBe("an IPv4 address inside IPv6");
  expect(originAccess(ip("192.0.2.1"))).toBeUndefined();
  expect(originAccess(ip("2001:db8::1"))).toBeUndefined();
});
