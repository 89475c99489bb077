import { checkVariantId, checkVariantOptions } from "edgeproof/images";
import { describe, expect, test } from "vitest";

const whole = { fit: "cover", width: 100, height: 50, metadata: "none" };

function pointers(value: unknown, complete = true): (string | undefined)[] {
  return checkVariantOptions(value, { complete }).map((problem) => problem.pointer);
}

describe("checkVariantOptions", () => {
  test("accepts all four options, and fewer unless `complete`", () => {
    expect(pointers(whole)).toEqual([]);
    expect(pointers({ width: 12_000 }, false)).toEqual([]);
    expect(pointers({ height: 1, fit: undefined }, false)).toEqual([]);
  });

  test("reports each missing option when all four are required", () => {
    expect(pointers({})).toEqual(["/fit", "/width", "/height", "/metadata"]);
  });

  test("requires at least one side", () => {
    expect(pointers({ fit: "pad" }, false)).toEqual([""]);
  });

  test.each([
    ["width", 0],
    ["width", 12_001],
    ["width", 1.5],
    ["width", "100"],
    ["width", Number.NaN],
    ["height", -1],
    ["height", null],
    ["fit", "Cover"],
    ["fit", ["cover"]],
    ["metadata", "all"],
    ["metadata", true],
  ])("rejects %s %j", (member, value) => {
    expect(pointers({ ...whole, [member]: value })).toEqual([`/${member}`]);
  });

  test("rejects unknown members, also with names of the prototype", () => {
    const value = JSON.parse(
      '{"fit":"pad","width":1,"height":1,"metadata":"keep","tint":1,"__proto__":{},"a/b":1}',
    );
    expect(pointers(value)).toEqual(["/tint", "/__proto__", "/a~1b"]);
  });

  test("ignores inherited members", () => {
    expect(pointers(Object.create(whole))).toHaveLength(4);
  });

  test.each([[null], [[]], ["x"], [1], [undefined]])("rejects %j as options", (value) => {
    expect(pointers(value)).toEqual([""]);
  });

  test("prefixes its pointers with `at` and uses code 5400", () => {
    const [problem] = checkVariantOptions({ ...whole, width: 0 }, { complete: true, at: "/options" });
    expect(problem).toMatchObject({
      code: 5400,
      pointer: "/options/width",
      message: "`width` must be an integer from 1 to 12000; found `0`.",
    });
  });
});

describe("checkVariantId", () => {
  test.each(["public", "A-_9", "x".repeat(99)])("accepts %s", (id) => {
    expect(checkVariantId(id)).toBeUndefined();
  });

  test.each(["", "x".repeat(100), "thumb nail", "a/b", "ä", "a\n", 7, null])("rejects %j", (id) => {
    expect(checkVariantId(id)?.code).toBe(5400);
  });
});
