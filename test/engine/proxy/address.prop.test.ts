/** Laws of addresses: against node:net, WHATWG URL and plain models. */
import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { originAccess, validateApp } from "edgeproof/proxy";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Cidr, parseCidr } from "../../../src/core/address/cidr.ts";
import { type Ip, parseIp, parseIpv4, parseIpv6, printIp } from "../../../src/core/address/ip.ts";
import { direct } from "../../../src/engine/proxy/checks/samples.ts";
import { compilePrefixes } from "../../../src/engine/proxy/facts/prefix-table.ts";
import { parseOrigin, printOrigin } from "../../../src/engine/proxy/grammar/origin.ts";
import { runs } from "../../support/runs.ts";

const word = fc.oneof(
  fc.nat({ max: 0xffffffff }),
  fc.constantFrom(0, 1, 0xffff, 0x10000, 0x7f000001, 0x64ff9b),
);
const ipv4: fc.Arbitrary<Ip> = word.map((last) => ({ family: 4, words: [0, 0, 0, last] }));
const ipv6: fc.Arbitrary<Ip> = fc.tuple(word, word, word, word).map((words) => ({ family: 6, words }));
const anyIp = fc.oneof(ipv4, ipv6);

/** Texts that are addresses, nearly addresses, or odd spellings of them. */
const nearAddress = fc.oneof(
  fc.ipV4(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.string({ unit: fc.constantFrom(..."0123456789abcfx.:%[]"), maxLength: 24 }),
  fc
    .array(fc.constantFrom("0", "1", "7f", "ffff", "0x7f", "0177", "127", "256", ""), { maxLength: 9 })
    .chain((parts) => fc.constantFrom(".", ":").map((separator) => parts.join(separator))),
  fc
    .tuple(fc.ipV6(), fc.nat({ max: 40 }), fc.constantFrom(..."0:.g%"))
    .map(([text, at, char]) => text.slice(0, at) + char + text.slice(at)),
);

test("the parsers accept the addresses that node:net accepts, except zone ids", () => {
  fc.assert(
    fc.property(nearAddress, (text) => {
      expect(parseIpv4(text).ok).toBe(isIPv4(text));
      expect(parseIpv6(text).ok).toBe(isIPv6(text) && !text.includes("%"));
    }),
    { numRuns: runs(2000) },
  );
});

test("the offset of a fault is within the string", () => {
  fc.assert(
    fc.property(nearAddress, (text) => {
      for (const result of [parseIpv4(text), parseIpv6(text), parseOrigin(`tcp://${text}:22`)]) {
        if (result.ok) continue;
        const [{ offset }] = result.problems;
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(offset).toBeLessThanOrEqual(text.length + "tcp://:22".length);
      }
    }),
  );
});

test("printing and parsing are inverses, and the printed address is canonical as in the WHATWG URL standard", () => {
  fc.assert(
    fc.property(anyIp, (ip) => {
      const text = printIp(ip);
      expect(parseIp(text)).toEqual({ ok: true, value: ip });
      if (ip.family === 6 && !text.includes("."))
        expect(new URL(`http://[${text}]`).hostname).toBe(`[${text}]`);
    }),
    { numRuns: runs(1000) },
  );
});

test("all notations of an address have the same value", () => {
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const upper = parseIpv6(text.toUpperCase());
      const lower = parseIpv6(text);
      expect(upper).toEqual(lower);
      expect(upper.ok && printIp(upper.value)).toBe(lower.ok && printIp(lower.value));
    }),
  );
});

test("printing and parsing of origins are inverses", () => {
  const port = fc.integer({ min: 1, max: 65_535 });
  const ports = fc.tuple(port, port).map(([a, b]) => ({ first: Math.min(a, b), last: Math.max(a, b) }));
  const origin = fc.record({ transport: fc.constantFrom("tcp" as const, "udp" as const), ip: anyIp, ports });
  fc.assert(
    fc.property(origin, (value) => {
      expect(parseOrigin(printOrigin(value))).toEqual({ ok: true, value });
    }),
  );
});

/** The reference of the access check: node's own matcher over the same registries, written again. */
const rejected = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [address, length] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["224.0.0.0", 3],
] as const) {
  rejected.ipv4.addSubnet(address, length, "ipv4");
}
for (const [address, length] of [
  ["::", 96],
  ["::ffff:0:0", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
] as const) {
  rejected.ipv6.addSubnet(address, length, "ipv6");
}

function isRejected(address: string): boolean {
  const family = address.includes(":") ? "ipv6" : "ipv4";
  return rejected[family].check(address, family);
}

test("the access check agrees with the reference", () => {
  const near = fc.constantFrom(
    0,
    1,
    0x0064ff9b,
    0xffff,
    0x20020000,
    0xfc000000,
    0xfe800000,
    0xff000000,
    0x7f000001,
  );
  const special = fc.tuple(near, fc.oneof(near, fc.constant(0x00010000)), near, word);
  fc.assert(
    fc.property(
      fc.oneof(
        anyIp,
        special.map((words): Ip => ({ family: 6, words })),
      ),
      (ip) => {
        expect(originAccess(ip) !== undefined).toBe(isRejected(printIp(ip)));
      },
    ),
    { numRuns: runs(2000) },
  );
});

/** Where a lax reader, as browsers are, would connect to. */
function laxAddress(host: string): string | undefined {
  if (!URL.canParse(`http://${host}:22`)) return undefined;
  const { hostname } = new URL(`http://${host}:22`);
  const bare = hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) ? bare : undefined;
}

test("no notation of a denied address passes a validation", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const number = octet.chain((n) =>
    fc.constantFrom(String(n), `0${n.toString(8)}`, `0x${n.toString(16)}`, String(n * 65_536 + 1)),
  );
  const spelled = fc.array(number, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("."));
  const embedded = fc
    .tuple(
      fc.constantFrom("::", "::ffff:", "64:ff9b::", "::ffff:0:"),
      fc.constantFrom("127.0.0.1", "10.0.0.1"),
    )
    .map(([prefix, tail]) => `[${prefix}${tail}]`);
  const host = fc.oneof(
    nearAddress,
    nearAddress.map((text) => `[${text}]`),
    spelled,
    embedded,
  );
  fc.assert(
    fc.property(host, (text) => {
      const { violations } = validateApp({ ...direct, origin_direct: [`tcp://${text}:22`] });
      const address = laxAddress(text);
      if (violations.length > 0) return;
      expect(address).toBeDefined();
      expect(isRejected(address as string)).toBe(false);
    }),
    { numRuns: runs(2000) },
  );
});

/** Bits of an address as text, the plain model of prefixes. */
function bits({ family, words }: Ip): string {
  const all = words.map((bits) => bits.toString(2).padStart(32, "0")).join("");
  return family === 4 ? all.slice(96) : all;
}

const cidr: fc.Arbitrary<Cidr> = anyIp.chain((ip) =>
  fc.nat({ max: ip.family === 4 ? 32 : 128 }).map((length) => ({ ip: cut(ip, length), length })),
);

function cut(ip: Ip, length: number): Ip {
  const kept = bits(ip).slice(0, length).padEnd(bits(ip).length, "0").padStart(128, "0");
  const at = (i: number) => Number.parseInt(kept.slice(i * 32, i * 32 + 32), 2);
  return { family: ip.family, words: [at(0), at(1), at(2), at(3)] };
}

test("longest-prefix lookup finds the same prefix as a scan over all prefixes", () => {
  fc.assert(
    fc.property(
      fc.array(cidr, { maxLength: 12 }),
      fc.array(anyIp, { minLength: 1, maxLength: 8 }),
      (prefixes, ips) => {
        const table = compilePrefixes(
          prefixes.map((prefix) => [prefix, `${printIp(prefix.ip)}/${prefix.length}`]),
        );
        for (const ip of [...ips, ...prefixes.map((prefix) => prefix.ip)]) {
          const holding = prefixes.filter(
            (p) => p.ip.family === ip.family && bits(ip).startsWith(bits(p.ip).slice(0, p.length)),
          );
          const longest = holding.sort((a, b) => b.length - a.length)[0];
          expect(table.lookup(ip)).toBe(longest && `${printIp(longest.ip)}/${longest.length}`);
        }
      },
    ),
  );
});

test("prefixes are parsed, and only when the remaining bits are zero", () => {
  fc.assert(
    fc.property(anyIp, fc.nat({ max: 130 }), (ip, length) => {
      const result = parseCidr(`${printIp(ip)}/${length}`);
      const maxLength = ip.family === 4 ? 32 : 128;
      expect(result.ok).toBe(length <= maxLength && !bits(ip).slice(length).includes("1"));
      if (result.ok) expect(result.value).toEqual({ ip, length });
    }),
  );
});
