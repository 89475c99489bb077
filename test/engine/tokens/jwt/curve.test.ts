import { createPublicKey, generateKeyPairSync } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isOnCurve } from "../../../../src/engine/tokens/jwt/keys/curve.ts";

const curves = [
  { name: "P-256", bytes: 32 },
  { name: "P-384", bytes: 48 },
] as const;

function point(name: "P-256" | "P-384") {
  const { x, y } = generateKeyPairSync("ec", { namedCurve: name }).publicKey.export({ format: "jwk" });
  return { x: Buffer.from(x!, "base64url"), y: Buffer.from(y!, "base64url") };
}

describe.each(curves)("$name", ({ name, bytes }) => {
  test("generated points are on the curve", () => {
    for (let i = 0; i < 20; i++) {
      const { x, y } = point(name);
      expect(isOnCurve(name, x, y)).toBe(true);
    }
  });

  test("a point with one changed bit is not on the curve", () => {
    const { x, y } = point(name);
    fc.assert(
      fc.property(fc.boolean(), fc.nat(bytes * 8 - 1), (first, bit) => {
        const changed = Buffer.from(first ? x : y);
        changed[bit >> 3]! ^= 1 << (bit & 7);
        expect(first ? isOnCurve(name, changed, y) : isOnCurve(name, x, changed)).toBe(false);
      }),
    );
  });

  test("points of the other curve, zero, and coordinates outside the field are not on the curve", () => {
    const zero = Buffer.alloc(bytes);
    const other = point(name === "P-256" ? "P-384" : "P-256");
    const { x, y } = point(name);
    expect(isOnCurve(name, zero, zero)).toBe(false);
    expect(isOnCurve(name, other.x, other.y)).toBe(false);
    expect(isOnCurve(name, Buffer.alloc(bytes, 0xff), y)).toBe(false);
    expect(isOnCurve(name, x, Buffer.alloc(bytes, 0xff))).toBe(false);
  });

  test("a coordinate increased by p fulfills the equation, but is not in the field", () => {
    const p =
      name === "P-256"
        ? 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
        : 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n;
    const { x, y } = point(name);
    const shifted = Buffer.from(
      (BigInt(`0x${x.toString("hex")}`) + p).toString(16).padStart(bytes * 2 + 2, "0"),
      "hex",
    );
    expect(isOnCurve(name, shifted, y)).toBe(false);
  });

  test("the check agrees with the platform's import", () => {
    const { x, y } = point(name);
    const off = Buffer.from(y);
    off[bytes - 1]! ^= 1;
    const importPoint = (py: Buffer) => () =>
      createPublicKey({
        format: "jwk",
        key: { kty: "EC", crv: name, x: x.toString("base64url"), y: py.toString("base64url") },
      });
    expect(importPoint(y)).not.toThrow();
    expect(importPoint(off)).toThrow();
  });
});
