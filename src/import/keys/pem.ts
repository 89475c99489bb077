/** Reads public keys and certificates in PEM (RFC 7468) as JWKs. */
import { base64Bytes } from "#bytes";
import { decodeCertificate, decodePem } from "#public-key";
import { failure, type Result, success } from "../../core/result.ts";
import { quote } from "../../errors.ts";
import type { DecodedKey, PemBlock } from "./pem-block.ts";
import type { RejectedKey } from "./rejected-key.ts";

const begin = "-----BEGIN ";
const dashes = "-----";

/** Whether a string has the mark of PEM. */
export function isPem(text: string): boolean {
  return text.includes(begin);
}

/** The blocks of a text, which can have other lines around them; a block without an end is left out. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let begins = 0;
  for (let at = text.indexOf(begin); at >= 0 && begins++ < max.blocks; at = text.indexOf(begin, at + 1)) {
    const block = blockAt(text, at);
    if (block) blocks.push(block);
  }
  return blocks;
}

/** Maximum length of a label and of a block in characters, and number of blocks: no key set needs more (`chosen`). */
const max = { label: 64, block: 65_536, blocks: 1_001 };

function blockAt(text: string, at: number): PemBlock | undefined {
  const labelStart = at + begin.length;
  const window = text.slice(labelStart, labelStart + max.label + dashes.length);
  const label = window.slice(0, Math.max(0, window.indexOf(dashes)));
  if (label === "") return undefined;
  const end = `${dashes}END ${label}${dashes}`;
  const block = text.slice(at, at + max.block);
  const length = block.indexOf(end);
  return length < 0 ? undefined : { label, text: block.slice(0, length + end.length) };
}

/** The key of a block as a JWK without `kid` and `alg`. */
export function jwkOfPem(block: PemBlock): Result<object, RejectedKey> {
  const { label } = block;
  if (label.endsWith("PRIVATE KEY")) {
    const message = "it is a private key; a configuration has public keys only";
    return failure({ rule: "private_key", message });
  }
  if (label === "CERTIFICATE") return jwkOf(decodePem(block), "certificate");
  if (label === "PUBLIC KEY" || label === "RSA PUBLIC KEY") return jwkOf(decodePem(block), "public key");
  const message = `a PEM block must be a public key or a certificate; found ${quote(label)}`;
  return failure({ rule: "not_a_key", message });
}

/** The key of a certificate in base64, as elements of `x5c` are (RFC 7517, section 4.7). */
export function jwkOfCertificate(base64: string): Result<object, RejectedKey> {
  return jwkOf(decodeCertificate(base64Bytes(base64.slice(0, max.block))), "certificate");
}

function jwkOf(decoded: DecodedKey, noun: string): Result<object, RejectedKey> {
  if (decoded === undefined)
    return failure({ rule: "malformed_key", message: `the ${noun} cannot be decoded` });
  if ("jwk" in decoded) return success(decoded.jwk);
  const message = `keys of the type ${quote(decoded.unsupported)} are not supported`;
  return failure({ rule: "unsupported_type", message });
}
