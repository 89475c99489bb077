/** A secret that can be found in any output: as text, in base64 and base64url, in hexadecimal digits, and in parts. */
import type { HmacAlgorithm, SecretKey } from "../../src/engine/tokens/model.ts";

const text = "MARKED~secret?0123456789>abcdefghijklmnopqrstuvwxyz~ABCDEFGHIJKLMNOP?QRST";
const bytes = Buffer.from(text);

/** The secret as a key has it. */
export const markedSecret = bytes.toString("base64url");

/** A key with the secret. */
export function markedKey(alg: HmacAlgorithm = "HS256", kid = "shared"): SecretKey {
  return { alg, kty: "oct", kid, k: markedSecret };
}

/** Length of a part that counts as a leak, in characters. */
const partLength = 10;

const forms = [
  markedSecret,
  bytes.toString("base64"),
  bytes.toString("hex"),
  bytes.toString("hex").toUpperCase(),
  text,
];
const parts = new Set(
  forms.flatMap((form) =>
    Array.from({ length: form.length - partLength + 1 }, (_, i) => form.slice(i, i + partLength)),
  ),
);

/** The parts of the secret in a text, in whatever form; empty when it has none. */
export function leaksIn(output: string): readonly string[] {
  return [...parts].filter((part) => output.includes(part));
}
