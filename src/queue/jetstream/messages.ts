/** Messages as JetStream stores them: the key, the reason and other facts in headers, as JSON in ASCII. */
import { createHash, randomBytes } from "node:crypto";
import type { MsgHdrs } from "@nats-io/transport-node";

/** Bytes that headers need at most, above the body. */
export const headerBytes = 16_384;

/** Names of the headers. */
export const headerNames = {
  key: "Edgeproof-Key",
  reason: "Edgeproof-Reason",
  /** Sequence of the message that a dead letter is a copy of. */
  sequence: "Edgeproof-Sequence",
} as const;

/** The id of a message: the same for the same key, otherwise random. It is a part of a subject. */
export function idOf(key: string | undefined): string {
  return key === undefined
    ? randomBytes(24).toString("base64url")
    : createHash("sha256").update(JSON.stringify(key)).digest("base64url");
}

/** Whether a text can be the id of a message, which others may have published: one token of a subject, no wildcard. */
export function isId(text: string): boolean {
  return /^[^\s.*>]{1,200}$/.test(text);
}

/** Sets a header to a value; undefined sets none. */
export function setHeader(headers: MsgHdrs, name: string, value: string | number | undefined): void {
  if (value === undefined) return;
  const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  headers.set(name, JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, escaped));
}

/** The value of a header; undefined when it is missing or not of this format: others may publish messages, too. */
export function readHeader(headers: MsgHdrs | undefined, name: string): string | number | undefined {
  try {
    const value: unknown = JSON.parse(headers?.get(name) ?? "");
    return typeof value === "string" || typeof value === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The key of a message; undefined when it has none. */
export function keyOf(headers: MsgHdrs | undefined): string | undefined {
  const key = readHeader(headers, headerNames.key);
  return typeof key === "string" ? key : undefined;
}
