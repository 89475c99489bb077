/** Laws of the import of issuers' keys: any document has an answer, and every accepted key is a safe one. */
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { importKeys } from "../../../src/engine/tokens/jwt/keys/key-set.ts";
import { keysFromJwks } from "../../../src/import/keys/keys-from-jwks.ts";
import { type TestKeys, testKeys } from "../../support/keys.ts";

let keys: TestKeys;
beforeAll(async () => {
  keys = await testKeys();
});

const memberNames = [
  "kty",
  "kid",
  "alg",
  "use",
  "key_ops",
  "crv",
  "n",
  "e",
  "x",
  "y",
  "d",
  "x5c",
  "__proto__",
];

/** Values at which a reader of keys could fail. */
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    "RSA",
    "EC",
    "P-256",
    "AQAB",
    "=",
    "-----BEGIN PUBLIC KEY-----",
    1e308,
    -0,
  ),
  fc.string(),
  fc.jsonValue(),
  fc.anything({ withBigInt: true, withSparseArray: true, withNullPrototype: true }),
);

const changes = fc.dictionary(fc.constantFrom(...memberNames), hostile, { maxKeys: 3 });

test("no document throws, and every value in the place of a key is accepted or dropped once", () => {
  const document = fc.oneof(hostile, fc.array(hostile), fc.record({ keys: fc.array(hostile) }));
  fc.assert(
    fc.property(document, (given) => {
      const { keys: accepted, dropped } = keysFromJwks(given);
      const list = Array.isArray(given) ? given : (given as { keys?: unknown } | null)?.keys;
      if (Array.isArray(list)) expect(accepted.length + dropped.length).toBe(list.length);
    }),
  );
});

test("whatever is accepted of changed keys is a set that the strictest profile imports unchanged", () => {
  const element = fc.tuple(
    fc.constantFrom("rs256", "ps256", "es256", "es384"),
    changes,
    fc.constantFrom("a", "b"),
  );
  fc.assert(
    fc.property(fc.array(element, { maxLength: 6 }), (elements) => {
      const document = elements.map(([name, change, kid]) => ({
        ...keys[name as keyof TestKeys].jwk,
        kid,
        ...change,
      }));
      const read = keysFromJwks({ keys: document });
      if (read.keys.length === 0) return;
      expect(importKeys(read.keys, { mode: "reject" })).toEqual({
        ok: true,
        value: { keys: read.keys, notes: [] },
      });
    }),
  );
});

test("the answer does not depend on the members that keys do not have here", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (more) => {
      const { jwk } = keys.es256;
      const decorated = { ...more, ...jwk };
      for (const name of ["use", "key_ops", "d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"])
        delete (decorated as Record<string, unknown>)[name];
      expect(keysFromJwks([decorated]).keys).toEqual([jwk]);
    }),
  );
});

test("PEM text of any length is read in time that grows with its length", () => {
  const text = "-----BEGIN A-----".repeat(120_000);
  const start = performance.now();
  keysFromJwks(text);
  keysFromJwks({ a: text });
  expect(performance.now() - start).toBeLessThan(5_000);
});
