/** Formats of addresses in options: hosts, origins, and addresses that paths are appended to. */
import { isIP } from "node:net";

/** Whether an address is absolute and has neither query nor fragment. */
export function isBase(base: string): boolean {
  return /^https?:\/\/[^?#]+$/i.test(base) && URL.canParse(base);
}

/** Whether a value is a host name, an address or `*`. */
export function isHostName(name: string): boolean {
  return name === "*" || /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?$/i.test(name) || isAddress(name);
}

/** Whether a host is an IP address; of version 6 with or without brackets. */
export function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** Whether a value is an origin as browsers send it, without path and default port. */
export function isOrigin(origin: unknown): boolean {
  return typeof origin === "string" && URL.canParse(origin) && new URL(origin).origin === origin;
}
