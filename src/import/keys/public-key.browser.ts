/**
 * Decodes public keys (RFC 5280, section 4.1.2.7; RFC 8017, appendix A.1.1) and those of certificates (section 4.1) where
 * there is no OpenSSL. Of a certificate only the way to its key is read. Points of curves must be uncompressed.
 */
import { base64Bytes, base64urlText, hexText } from "#bytes";
import type { DecodedKey, PemBlock } from "./pem-block.ts";

/** A DER element: the bytes of its value, and the offset after it. */
interface Element {
  readonly tag: number;
  readonly value: Uint8Array;
  readonly end: number;
}

const tags = { integer: 0x02, bitString: 0x03, oid: 0x06, sequence: 0x30, version: 0xa0 } as const;

/** Types of keys by the hexadecimal value of their object identifier. */
const keyTypes: Readonly<Record<string, string>> = {
  "2a864886f70d010101": "rsa",
  "2a864886f70d01010a": "rsa-pss",
  "2a8648ce380401": "dsa",
  "2a8648ce3d0201": "ec",
  "2b656e": "X25519",
  "2b656f": "X448",
  "2b6570": "Ed25519",
  "2b6571": "Ed448",
};

/** Curves that JWKs have a name for, with the length of a coordinate in bytes. */
const curves: Readonly<Record<string, { readonly crv: string; readonly bytes: number }>> = {
  "2a8648ce3d030107": { crv: "P-256", bytes: 32 },
  "2b81040022": { crv: "P-384", bytes: 48 },
  "2b81040023": { crv: "P-521", bytes: 66 },
  "2b8104000a": { crv: "secp256k1", bytes: 32 },
};

/** Lengths of the keys of RFC 8037, in bytes. */
const octetKeys: Readonly<Record<string, number>> = { X25519: 32, X448: 56, Ed25519: 32, Ed448: 57 };

/** Decodes a block whose label is `PUBLIC KEY`, `RSA PUBLIC KEY` or `CERTIFICATE`. Never throws. */
export function decodePem({ label, text }: PemBlock): DecodedKey {
  const der = base64Bytes(text.replaceAll(/-----[^-]*-----/g, ""));
  if (label === "CERTIFICATE") return decodeCertificate(der);
  const body = elementAt(der, 0, tags.sequence)?.value;
  if (body === undefined) return undefined;
  return label === "PUBLIC KEY" ? publicKey(body) : rsaKey(body);
}

/** Decodes the key of a certificate in DER. Never throws. */
export function decodeCertificate(der: Uint8Array): DecodedKey {
  const signed = elementAt(elementAt(der, 0, tags.sequence)?.value, 0, tags.sequence)?.value;
  const version = elementAt(signed, 0, tags.version);
  let at = version?.end ?? 0;
  // Serial number, algorithm, issuer, validity and subject.
  for (const tag of [tags.integer, tags.sequence, tags.sequence, tags.sequence, tags.sequence]) {
    const next = elementAt(signed, at, tag);
    if (next === undefined) return undefined;
    at = next.end;
  }
  const key = elementAt(signed, at, tags.sequence);
  return key && publicKey(key.value);
}

/** The element at an offset; undefined when it is incomplete, of another tag, or longer than four bytes can say. */
function elementAt(bytes: Uint8Array | undefined, at: number, tag: number): Element | undefined {
  if (bytes === undefined || bytes[at] !== tag) return undefined;
  const first = bytes[at + 1];
  if (first === undefined || first === 0x80 || first > 0x84) return undefined;
  const start = at + 2 + (first < 0x80 ? 0 : first - 0x80);
  const length = first < 0x80 ? first : bytes.subarray(at + 2, start).reduce((n, byte) => n * 256 + byte, 0);
  const end = start + length;
  return end > bytes.length ? undefined : { tag, value: bytes.subarray(start, end), end };
}

/** SubjectPublicKeyInfo. */
function publicKey(info: Uint8Array): DecodedKey {
  const algorithm = elementAt(info, 0, tags.sequence);
  const type = elementAt(algorithm?.value, 0, tags.oid);
  const bits = algorithm && elementAt(info, algorithm.end, tags.bitString)?.value;
  const name = type && keyTypes[hexText(type.value)];
  // Whole bytes only: the first one is the number of unused bits.
  if (type === undefined || name === undefined || bits?.[0] !== 0) return undefined;
  const key = bits.subarray(1);
  if (name === "rsa") return rsaKey(elementAt(key, 0, tags.sequence)?.value);
  if (name === "ec") return curveKey(elementAt(algorithm?.value, type.end, tags.oid)?.value, key);
  const octets = octetKeys[name];
  if (octets === undefined) return { unsupported: name };
  return key.length === octets ? { jwk: { crv: name, x: base64urlText(key), kty: "OKP" } } : undefined;
}

function rsaKey(numbers: Uint8Array | undefined): DecodedKey {
  const n = elementAt(numbers, 0, tags.integer);
  const e = n && elementAt(numbers, n.end, tags.integer);
  return e && { jwk: { kty: "RSA", n: unsignedText(n.value), e: unsignedText(e.value) } };
}

function curveKey(curveId: Uint8Array | undefined, point: Uint8Array): DecodedKey {
  const curve = curveId && curves[hexText(curveId)];
  if (curve === undefined) return { unsupported: "ec" };
  const { crv, bytes } = curve;
  if (point[0] === 2 || point[0] === 3) return { unsupported: "ec (compressed point)" };
  if (point[0] !== 4 || point.length !== 1 + 2 * bytes) return undefined;
  const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)].map(base64urlText);
  return { jwk: { crv, kty: "EC", x, y } };
}

/** Without the zero bytes before an unsigned number. */
function unsignedText(integer: Uint8Array): string {
  return base64urlText(
    integer.subarray(
      Math.max(
        0,
        integer.findIndex((byte) => byte !== 0),
      ),
    ),
  );
}
