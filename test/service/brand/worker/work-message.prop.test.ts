/** Messages of pictures: what is read is what was written, and any other bytes are rejected with a reason. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decodeWorkMessage,
  encodeLookbackMessage,
  encodePictureMessage,
  sha256Of,
} from "../../../../src/service/brand/worker/work-message.ts";

const account = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
const facts = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.constant(null), fc.double())).map(
  // JSON has no negative zero and no infinity.
  (value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>,
);
const message = fc.record({
  accounts: fc.array(account, { minLength: 1, maxLength: 5 }),
  facts,
  picture: fc.uint8Array({ maxLength: 200 }),
});
const valid = { accounts: ["a1"], facts: {}, picture: new Uint8Array([1, 2, 3]) };

test("decoding is the inverse of encoding", () => {
  fc.assert(
    fc.property(message, (given) => {
      const decoded = decodeWorkMessage(encodePictureMessage(given));
      const value = decoded.ok && decoded.value.type === "picture" && decoded.value;
      expect(value && { ...value, picture: [...(value.picture as Uint8Array)] }).toEqual({
        type: "picture",
        ...given,
        picture: [...given.picture],
      });
    }),
  );
});

test("any bytes are a message or rejected with one sentence", () => {
  const body = encodePictureMessage(valid);
  const changed = fc.tuple(fc.nat(body.length - 1), fc.nat(255)).map(([at, byte]) => body.with(at, byte));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), changed), (bytes) => {
      const decoded = decodeWorkMessage(bytes);
      if (!decoded.ok) expect(decoded.problems[0].message).toMatch(/^[A-Z`].*\.$/s);
    }),
  );
});

const header = (change: object) => {
  const line = { edgeproof: 1, type: "picture", accounts: ["a1"], facts: {}, ...change };
  return new TextEncoder().encode(`${JSON.stringify(line)}\n`);
};
const lookback = (change: object) =>
  new TextEncoder().encode(
    `${JSON.stringify({ edgeproof: 1, type: "lookback", account: "a", query: "1", from: 1, to: 9, ...change })}\n`,
  );
const picture = { bytes: 0, sha256: sha256Of(new Uint8Array()) };
const blob = "queue/work/1700000000000-00000000-0000-4000-8000-000000000000";

test.each([
  ["another version", header({ edgeproof: 2, picture }), "`edgeproof` must be 1; found `2`"],
  ["no account", header({ accounts: [], picture }), "`accounts`"],
  ["too many accounts", header({ accounts: Array(101).fill("a"), picture }), "`accounts`"],
  ["a malformed account", header({ accounts: ["../a"], picture }), "`accounts.0`"],
  ["another type", header({ type: "page", picture }), "`type`"],
  ["an unknown member", header({ picture, limit: 1 }), "`limit`"],
  [
    "large facts",
    header({ facts: { registrar: "ü".repeat(8_186) }, picture }),
    "16384 bytes of JSON; found 16388",
  ],
  [
    "the key of a stored picture of an account",
    header({ picture: { ...picture, blob: "brand/a1/scans/x" } }),
    "`picture.blob`",
  ],
  [
    "a key with another folder",
    header({ picture: { ...picture, blob: `queue/../${blob.slice(11)}` } }),
    "`picture.blob`",
  ],
  [
    "a header alone that promises bytes",
    header({ picture: { ...picture, bytes: 5 } }),
    "must have 5 bytes; found 0",
  ],
  ["another hash", header({ picture: { ...picture, sha256: "0".repeat(64) } }), "must be 0000"],
  [
    "bytes after a reference",
    Buffer.concat([header({ picture: { ...picture, blob } }), Buffer.from("x")]),
    "Nothing may follow",
  ],
  ["a lookback that ends before it begins", lookback({ from: 5, to: 5 }), "must be larger than `from`"],
  ["a lookback with a picture", Buffer.concat([lookback({}), Buffer.from("x")]), "Nothing may follow"],
  ["a lookback of a malformed query", lookback({ query: "1 x" }), "`query`"],
  ["no line end", new TextEncoder().encode("{}"), "must begin with a line of JSON"],
  ["a header that never ends", new Uint8Array(100_000).fill(32), "at most 32768 bytes"],
  ["no JSON", new TextEncoder().encode("hello\n"), "must be a JSON object"],
  ["brackets without end", new TextEncoder().encode(`${"[".repeat(30_000)}\n`), "must be a JSON object"],
  ["bytes that are not UTF-8", new Uint8Array([123, 255, 125, 10]), "in UTF-8"],
])("%s is rejected", (_name, body, reason) => {
  const decoded = decodeWorkMessage(body);
  expect(decoded.ok ? "accepted" : decoded.problems[0].message).toContain(reason);
});

test("a reference is read without a picture", () => {
  const reference = { blob, bytes: 7, sha256: "0".repeat(64) };
  const decoded = decodeWorkMessage(encodePictureMessage({ ...valid, picture: reference }));
  expect(decoded.ok && decoded.value.type === "picture" && decoded.value.picture).toEqual(reference);
});

test("a part of a lookback is read as it was written", () => {
  const range = { account: "a1", queryId: "7", from: 1, to: 4_097 };
  expect(decodeWorkMessage(encodeLookbackMessage(range))).toEqual({
    ok: true,
    value: { type: "lookback", range },
  });
  const ofNames = { ...range, part: "domains" } as const;
  expect(decodeWorkMessage(encodeLookbackMessage(ofNames))).toEqual({
    ok: true,
    value: { type: "lookback", range: ofNames },
  });
});
