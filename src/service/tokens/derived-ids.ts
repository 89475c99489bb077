/** Ids for resources that have none yet: the same for the same name. */
import { hexText, utf8Bytes } from "#bytes";
import { sha256 } from "#hash";

/** A UUID of version 8 (RFC 9562) from a name, such as the address of a Terraform resource. */
export function derivedUuid(name: string): string {
  const hex = derivedHex(name);
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}

/** 32 hexadecimal digits from a name, the form of the ids of zones and accounts. */
export function derivedHex(name: string): string {
  return hexText(sha256(utf8Bytes(`edgeproof:${name}`))).slice(0, 32);
}
