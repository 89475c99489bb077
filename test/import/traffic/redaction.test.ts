/** Recognizing replaced tokens. */
import { describe, expect, test } from "vitest";
import { isRedacted } from "../../../src/import/traffic/redaction.ts";

const header = Buffer.from('{"alg":"ES256","kid":"k"}').toString("base64url");
const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
const payload = Buffer.from('{"sub":"ada"}').toString("base64url");
const signature = "c2ln".repeat(16);

describe("redacted", () => {
  test.each([
    "***",
    "Bearer ********",
    "bearer [redacted]",
    "Bearer <token>",
    "{{access_token}}",
    "$TOKEN",
    "REDACTED",
    "xxxxxxxx",
    "...",
    "Bearer <your token here>",
    "value removed",
    header,
    `${header}.${payload}`,
    `Bearer ${header}.${payload}.`,
    `${header}.${payload}.***`,
    `${header}.${payload}.[signature removed]`,
    `${header}.***.${signature}`,
  ])("%s", (value) => {
    expect(isRedacted(value)).toBe(true);
  });
});

describe("not redacted", () => {
  test.each([
    "",
    "x",
    "Basic YWRhOnB3",
    "a-session-id-0123456789",
    `Bearer ${header}.${payload}.${signature}`,
    `${header}.${payload}.c2hvcnQ`,
    `${unsigned}.${payload}.`,
    `${"a".repeat(30)}secret${"b".repeat(30)}`,
  ])("%s", (value) => {
    expect(isRedacted(value)).toBe(false);
  });
});
