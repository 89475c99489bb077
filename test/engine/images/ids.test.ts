import { checkCustomId, checkKeyName } from "edgeproof/images";
import { describe, expect, test } from "vitest";

describe("checkCustomId", () => {
  test.each([
    "a",
    "shop/cover.jpg",
    "shop//double",
    "Größe/日本語",
    "v1.2",
    "100%",
    "a?b#c",
    "blob/a",
    "a/keys",
    "keysmith/a",
    "a.SVG",
    "..a/b",
    ".hidden",
    "2b4f5b3e-0d0c-4c55-9d5e-0a4a3a2f8a10",
  ])("accepts %s", (id) => {
    expect(checkCustomId(id)).toBeUndefined();
  });

  test.each([
    "",
    "/a",
    "a/",
    "/",
    ".",
    "..",
    "a/../b",
    "a/.",
    "page.html",
    "a/b.PDF",
    "archive.tar.gz",
    "keys/a",
    "stats",
    "variants/public",
    "a/blob",
    "blob",
    "a\nb",
    "a\u0000",
    "\ud800",
  ])("rejects %j", (id) => {
    expect(checkCustomId(id)).toMatchObject({ code: 5411, pointer: "/id" });
  });

  test("the maximum length counts characters, not code units or bytes", () => {
    expect(checkCustomId("😀".repeat(1024))).toBeUndefined();
    expect(checkCustomId("😀".repeat(1025))?.code).toBe(5411);
    expect(checkCustomId("x".repeat(10_000_000))?.code).toBe(5411);
  });

  test("the provider's restrictions apply only with their options", () => {
    const uuid = "2b4f5b3e-0d0c-4c55-9d5e-0a4a3a2f8a10";
    expect(checkCustomId(uuid, { rejectUuid: true })?.code).toBe(5411);
    expect(checkCustomId("a", { rejectUuid: true })).toBeUndefined();
    expect(checkCustomId("a", { rejectSigned: true, requireSignedURLs: true })?.code).toBe(5411);
    expect(checkCustomId("a", { rejectSigned: true })).toBeUndefined();
    expect(checkCustomId("a", { requireSignedURLs: true })).toBeUndefined();
  });

  test("the examples of the docstring", () => {
    expect(checkCustomId("shop/cover.jpg")).toBeUndefined();
    expect(checkCustomId("../cover.jpg")?.code).toBe(5411);
  });
});

describe("checkKeyName", () => {
  test.each(["default", "A_-9", "x".repeat(20)])("accepts %s", (name) => {
    expect(checkKeyName(name)).toBeUndefined();
  });

  test.each(["", "x".repeat(21), "my key", "a/b", "é", "a\n"])("rejects %j", (name) => {
    expect(checkKeyName(name)?.code).toBe(5400);
  });
});
