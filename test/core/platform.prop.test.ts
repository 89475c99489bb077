/** The files for browsers have the functions of those for Node.js, with the same results; here both run on Node.js. */
import { generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as otherBytes from "../../src/core/platform/bytes.browser.ts";
import * as bytes from "../../src/core/platform/bytes.ts";
import * as otherHash from "../../src/core/platform/hash.browser.ts";
import * as hash from "../../src/core/platform/hash.ts";
import * as otherTurn from "../../src/core/platform/next-turn.browser.ts";
import type * as turn from "../../src/core/platform/next-turn.ts";
import * as otherEngine from "../../src/engine/tokens/expression/patterns/load-engine.browser.ts";
import type * as engine from "../../src/engine/tokens/expression/patterns/load-engine.ts";
import {
  createNodeSignatureCheck,
  platformVerifier,
} from "../../src/engine/tokens/jwt/verify-node.browser.ts";
import * as otherKeys from "../../src/import/keys/public-key.browser.ts";
import * as keys from "../../src/import/keys/public-key.ts";
import { certificateAuthority } from "../support/certificates.ts";
import { runs } from "../support/runs.ts";

/** Any string of code units, also with lone surrogates. */
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);
const someBytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  text.map((content) => bytes.utf8Bytes(content)),
);

/** Bytes, and the bounds of a part of them. */
const partOfBytes = fc
  .tuple(someBytes, fc.nat(20), fc.nat(200))
  .map(
    ([array, start, length]) =>
      [array, start, Math.min(array.length, start + length)] as [Uint8Array, number, number],
  );

/** Calls of each function with random arguments; a function without an entry does not compile. */
const calls: {
  readonly [N in keyof typeof bytes]: fc.Arbitrary<Parameters<(typeof bytes)[N]>>;
} = {
  allocateBytes: fc.tuple(fc.nat(100)),
  // Of a character above U+00FF Node.js reads the lower eight bits.
  base64Bytes: fc.tuple(
    fc.oneof(
      someBytes.map((array) => bytes.latin1Text(array)),
      fc.string({ unit: fc.constantFrom(..."ABz059+/-_=\n ") }),
      someBytes.map((array) => bytes.base64Text(array)),
      someBytes.map((array) => bytes.base64urlText(array)),
    ),
  ),
  base64Text: fc.tuple(someBytes),
  base64urlText: fc.tuple(someBytes),
  concatBytes: fc.tuple(fc.array(someBytes, { maxLength: 4 })),
  copyLatin1: fc.tuple(someBytes.map((array) => bytes.latin1Text(array))),
  hexBytes: fc.tuple(someBytes.map((array) => bytes.hexText(array))),
  hexText: fc.tuple(someBytes),
  isUtf8: fc.tuple(someBytes),
  latin1Bytes: fc.tuple(text),
  latin1Text: partOfBytes,
  utf8Bytes: fc.tuple(text),
  utf8Length: fc.tuple(text),
  utf8Text: partOfBytes,
  viewBytes: fc.tuple(someBytes),
  writeUtf8: fc.tuple(
    text,
    fc.nat(50).map((length) => new Uint8Array(length)),
  ),
};

const [own, other] = [{ ...bytes }, { ...otherBytes }];

const plain = (value: unknown) => (value instanceof Uint8Array ? [...value] : value);

/** The result, and an array of bytes that was written to. */
function resultOf(call: (...args: never[]) => unknown, args: readonly unknown[]): unknown {
  const copies = args.map((argument) => (argument instanceof Uint8Array ? argument.slice() : argument));
  return [plain(call(...(copies as never[]))), copies.map(plain)];
}

describe("bytes", () => {
  test.each(Object.keys(calls) as (keyof typeof bytes)[])("%s has the same result", (name) => {
    fc.assert(
      fc.property(calls[name], (args) => {
        expect(resultOf(other[name], args)).toEqual(resultOf(own[name], args));
      }),
      { numRuns: runs(1000) },
    );
  });

  test("more bytes than a call has arguments are decoded", () => {
    const many = new Uint8Array(300_000).map((_, i) => i);
    expect(otherBytes.latin1Text(many)).toBe(bytes.latin1Text(many));
  });
});

test("SHA-256 and HMAC are those of OpenSSL, around each length of a block", () => {
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.constantFrom(55, 56, 63, 64, 65, 119, 120, 5000).map((length) => new Uint8Array(length).fill(length)),
  );
  fc.assert(
    fc.property(message, message, (key, content) => {
      expect([...otherHash.sha256(content)]).toEqual([...hash.sha256(content)]);
      expect([...otherHash.hmacSha256(key, content)]).toEqual([...hash.hmacSha256(key, content)]);
    }),
    { numRuns: runs(400) },
  );
});

test("both files of each pair have the same functions", () => {
  // The compiler compares the types.
  const same: [
    typeof bytes,
    typeof hash,
    typeof turn,
    Pick<typeof engine, keyof typeof engine>,
    typeof keys,
  ] = [otherBytes, otherHash, otherTurn, otherEngine, otherKeys];
  expect(same.map((loaded) => Object.keys(loaded).length)).not.toContain(0);
});

describe("public keys", () => {
  const pairs = [
    generateKeyPairSync("rsa", { modulusLength: 2048 }),
    generateKeyPairSync("rsa-pss", { modulusLength: 2048 }),
    ...["P-256", "P-384", "P-521", "secp256k1", "brainpoolP256r1"].map((namedCurve) =>
      generateKeyPairSync("ec", { namedCurve }),
    ),
    generateKeyPairSync("ed25519"),
    generateKeyPairSync("ed448"),
    generateKeyPairSync("x25519"),
    generateKeyPairSync("x448"),
  ];
  const blocks = [
    ...pairs.map(({ publicKey }) => ({
      label: "PUBLIC KEY",
      text: String(publicKey.export({ type: "spki", format: "pem" })),
    })),
    { label: "RSA PUBLIC KEY", text: String(pairs[0]?.publicKey.export({ type: "pkcs1", format: "pem" })) },
    { label: "CERTIFICATE", text: certificateAuthority().cert },
    { label: "CERTIFICATE", text: certificateAuthority().issue().cert },
  ];

  test.each(blocks)("a block $label is decoded as by OpenSSL", (block) => {
    const decoded = keys.decodePem(block);
    expect(decoded).toBeDefined();
    expect(otherKeys.decodePem(block)).toEqual(decoded);
  });

  test("of a changed block, both read the same key, or at least one reads none", () => {
    const changed = fc
      .tuple(fc.constantFrom(...blocks), fc.nat(), fc.nat(255), fc.boolean())
      .map(([{ label, text }, at, byte, cut]) => {
        const der = Buffer.from(text.replaceAll(/-----[^-]*-----/g, ""), "base64");
        const place = at % der.length;
        const other = cut
          ? der.subarray(0, place)
          : Buffer.concat([der.subarray(0, place), Buffer.from([byte]), der.subarray(place + 1)]);
        return {
          label,
          text: `-----BEGIN ${label}-----\n${other.toString("base64")}\n-----END ${label}-----`,
        };
      });
    fc.assert(
      fc.property(changed, (block) => {
        const [own, openssl] = [otherKeys.decodePem(block), keys.decodePem(block)];
        if (own !== undefined && openssl !== undefined && "jwk" in own && "jwk" in openssl)
          expect(own).toEqual(openssl);
      }),
      { numRuns: runs(2000) },
    );
  });
});

test("without Node.js a zone verifies with jose, and the verifier of Node.js says what to name", () => {
  expect(platformVerifier).toBe("jose");
  expect(() => createNodeSignatureCheck()).toThrow('name `verifier: "jose"`');
});

test("the engine of regular expressions is missed until it is loaded", async () => {
  expect(otherEngine.isPatternEngineMissed()).toBe(false);
  expect(() => otherEngine.patternEngine()).toThrow("await prepareRegularExpressions()");
  expect(otherEngine.isPatternEngineMissed()).toBe(true);
  await otherEngine.loadPatternEngine();
  expect(otherEngine.isPatternEngineMissed()).toBe(false);
  expect(otherEngine.patternEngine().compile("a+")).toBeDefined();
});
