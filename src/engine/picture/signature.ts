/** Formats that the first bytes of a file identify without doubt (signatures from the formats' specifications). */

/** Formats with a signature; each has a header reader. */
export type SignatureType = "png" | "jpeg" | "gif" | "webp";

const signatures: readonly (readonly [SignatureType, string])[] = [
  ["png", "\x89PNG\r\n\x1a\n"],
  ["jpeg", "\xff\xd8\xff"],
  ["gif", "GIF87a"],
  ["gif", "GIF89a"],
];

/** The format by the first bytes; undefined for bytes without a known signature. */
export function signatureType(bytes: Uint8Array): SignatureType | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  const found = signatures.find(([, signature]) => head.startsWith(signature));
  if (found) return found[0];
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "webp" : undefined;
}
