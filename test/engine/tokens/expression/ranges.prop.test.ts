/** Ranges at both of their ends: of every type, written as a set, a list or operators, evaluated and analyzed. */
import { compareZones } from "edgeproof/analysis";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printAddress } from "../../../../src/engine/tokens/expression/values/address.ts";
import { compileList } from "../../../../src/engine/tokens/expression/values/lists.ts";
import {
  compileAddressRanges,
  compileRanges,
} from "../../../../src/engine/tokens/expression/values/ranges.ts";
import { runs } from "../../../support/runs.ts";
import { zoneWith } from "../analysis/custom/random-rulesets.ts";
import { type CustomCase, evaluateCustom } from "./custom/evaluate-custom.ts";

/** A value of a request whose number can be chosen, its literals, and the request. */
interface Subject {
  readonly write: string;
  readonly literal: (value: bigint) => string;
  readonly request: (value: bigint) => CustomCase;
  readonly firsts: readonly bigint[];
}

const number = {
  literal: String,
  firsts: [-(2n ** 63n) + 1n, -2n, 0n, 5n, 2n ** 53n - 3n, 2n ** 63n - 6n],
};
const length = { literal: String, firsts: [1n, 3n, 7n] };
const address = (toAddress: (value: bigint) => number | bigint) => {
  const print = (value: bigint) => printAddress(toAddress(value));
  return {
    write: "ip.src",
    literal: print,
    request: (value: bigint) => ({ ip: print(value) }),
  };
};
const text = (value: bigint) => "x".repeat(Number(value));
const subjects: Readonly<Record<string, Subject>> = {
  "an integer of a claim": {
    ...number,
    write: 'lookup_json_integer(http.request.jwt.claims["C1"][0], "a")',
    request: (value) => ({ tokens: { C1: `{"a":${value}}` } }),
  },
  "a field": {
    ...length,
    write: "ip.src.asnum",
    request: (value) => ({ fields: { "ip.src.asnum": Number(value) } }),
  },
  "the length of a field": {
    ...length,
    write: "len(http.user_agent)",
    request: (value) => ({ headers: { "user-agent": text(value) } }),
  },
  "the length of an element": {
    ...length,
    write: 'len(http.request.headers["x"][0])',
    request: (value) => ({ headers: { x: text(value) } }),
  },
  "an address of IPv4": { ...address(Number), firsts: [1n, 0x0a000000n, 0xfffffff8n] },
  "an address of IPv6": { ...address(BigInt), firsts: [1n, 0x20010db8n << 96n, 2n ** 128n - 8n] },
};

/** The operators of order, and a set, as tests of a number with the range from 0 to 3. */
const tests: Readonly<Record<string, (value: bigint) => boolean>> = {
  "in {first..last}": (value) => value >= 0n && value <= 3n,
  "in {first..last last}": (value) => value >= 0n && value <= 3n,
  "in {first last}": (value) => value === 0n || value === 3n,
  "eq first": (value) => value === 0n,
  "ne first": (value) => value !== 0n,
  "lt last": (value) => value < 3n,
  "le last": (value) => value <= 3n,
  "gt first": (value) => value > 0n,
  "ge first": (value) => value >= 0n,
};

const written = (test: string, { literal }: Subject, first: bigint, last: bigint) =>
  test.replaceAll(/first|last/g, (end) => literal(end === "first" ? first : last));

describe.each(Object.entries(subjects))("%s", (_, subject) => {
  test.each(Object.entries(tests))("is compared by `%s` beside and at both ends", (operation, holds) => {
    for (const first of subject.firsts)
      for (const at of [-1n, 0n, 1n, 2n, 3n, 4n]) {
        const expression = `${subject.write} ${written(operation, subject, first, first + 3n)}`;
        const value = evaluateCustom(expression, subject.request(first + at));
        expect(value, `${expression}, ${first + at}`).toBe(holds(at));
      }
  });

  // Addresses have no documented order; a set of two parts has the same ends.
  test("is analyzed with the same ends as it is evaluated", () => {
    const zone = (first: bigint, last: bigint) =>
      zoneWith(`${subject.write} ${written("in {first..last}", subject, first, last)}`);
    const compared = (left: ReturnType<typeof zone>, right: ReturnType<typeof zone>) =>
      compareZones(left, right).result;
    for (const first of subject.firsts.filter((start) => start < 2n ** 32n && start >= 0n)) {
      const last = first + 3n;
      const parts = [first, first + 1n, first + 2n, last].map(subject.literal).join(" ");
      expect(compared(zone(first, last), zoneWith(`${subject.write} in {${parts}}`))).toBe("equivalent");
      expect(compared(zone(first, last), zone(first, last + 1n))).toBe("different");
      expect(compared(zone(first, last), zone(first, last - 1n))).toBe("different");
      expect(compared(zone(first, last), zone(first + 1n, last))).toBe("different");
      expect(compared(zone(first, last), zone(first - 1n, last))).toBe("different");
    }
  });
});

test("a range of strings has the strings that are written, and no string between them", () => {
  const holds = (agent: string) =>
    evaluateCustom('http.user_agent in {"b" "d"}', { headers: { "user-agent": agent } });
  expect(["a", "b", "c", "d", "e", "", "bd"].map(holds)).toEqual(
    ["a", "b", "c", "d", "e", "", "bd"].map((agent) => agent === "b" || agent === "d"),
  );
});

const range = (of: fc.Arbitrary<number>) =>
  fc.tuple(of, fc.nat(3)).map(([first, more]) => ({ first, last: first + more }));
const nearby = fc.integer({ min: -1, max: 24 });

test("ranges in any order, beside and over each other, have the values of any of them", () => {
  fc.assert(
    fc.property(fc.array(range(fc.nat(20)), { maxLength: 6 }), (ranges) => {
      const has = compileRanges(ranges);
      for (let value = -1; value < 25; value++)
        expect(has(value)).toBe(ranges.some(({ first, last }) => first <= value && value <= last));
    }),
    { numRuns: runs(4_000, 300) },
  );
});

test("an address is compared with the ranges of its family alone", () => {
  const wide = ({ first, last }: { readonly first: number; readonly last: number }) => ({
    first: BigInt(first),
    last: BigInt(last),
  });
  const ranges = fc.array(range(fc.nat(20)), { maxLength: 4 });
  fc.assert(
    fc.property(ranges, ranges, nearby, (ipv4, ipv6, value) => {
      const has = compileAddressRanges([...ipv4, ...ipv6.map(wide)]);
      const isIn = ({ first, last }: (typeof ipv4)[number]) => first <= value && value <= last;
      expect(has(value)).toBe(ipv4.some(isIn));
      expect(has(BigInt(value))).toBe(ipv6.some(isIn));
    }),
    { numRuns: runs(4_000, 300) },
  );
});

test.each([
  ["10.1.2.0/24", "10.1.2.0", "10.1.2.255", "10.1.1.255", "10.1.3.0"],
  ["10.1.2.128/25", "10.1.2.128", "10.1.2.255", "10.1.2.127", "10.1.3.0"],
  ["192.0.2.1..192.0.2.9", "192.0.2.1", "192.0.2.9", "192.0.2.0", "192.0.2.10"],
  ["192.0.2.7/32", "192.0.2.7", "192.0.2.7", "192.0.2.6", "192.0.2.8"],
  ["0.0.0.0/1", "0.0.0.0", "127.255.255.255", "128.0.0.0", "255.255.255.255"],
  ["2001:db8::/33", "2001:db8::", "2001:db8:7fff:ffff:ffff:ffff:ffff:ffff", "2001:db8:8000::", "2001:db7::"],
  ["::10/124", "::10", "::1f", "::f", "::20"],
  ["::/0", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "0.0.0.0", "255.255.255.255"],
])(
  "the network or range `%s` is from %s to %s, in a set and in a list",
  (network, first, last, ...outside) => {
    const list = network.includes("..") ? undefined : compileList("ip", [network]);
    const lists = new Map(list?.ok ? [["own", list.value] as const] : []);
    const forms = [`ip.src in {${network}}`, ...(lists.size > 0 ? ["ip.src in $own"] : [])];
    for (const form of forms) {
      expect([first, last].map((ip) => evaluateCustom(form, { ip, lists }))).toEqual([true, true]);
      expect(outside.map((ip) => evaluateCustom(form, { ip, lists }))).toEqual([false, false]);
    }
  },
);

test("a list of autonomous systems has its items alone, from the first to the last number of 32 bits", () => {
  const items = [0, 13335, 64512, 2 ** 32 - 1];
  const list = compileList("asn", items);
  const lists = new Map(list.ok ? [["own", list.value] as const] : []);
  const beside = items.flatMap((item) => [item - 1, item, item + 1]).filter((value) => value >= 0);
  const found = beside.filter((asn) =>
    evaluateCustom("ip.src.asnum in $own", { lists, fields: { "ip.src.asnum": asn } }),
  );
  expect(found).toEqual(items);
  for (const wrong of [-1, 2 ** 32]) expect(compileList("asn", [wrong]).ok).toBe(false);
});
