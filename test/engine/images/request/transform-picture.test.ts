/** Pictures by a list of options, without a world. */
import { parseTransformation, transformPicture } from "edgeproof/images";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../../src/edge.ts";
import { plain } from "../pictures.ts";

const png = await plain(60, 40).png().toBuffer();
const list = "w=20,h=20,fit=pad,background=red,trim=1;2;3;4,g=face,f=webp";

async function rendered(...request: Parameters<typeof transformPicture>) {
  const result = await transformPicture(...request);
  if (!result.ok) throw new Error(result.problems[0].message);
  return result.value;
}

describe("transformPicture", () => {
  test("renders the bytes that the address of a zone has", async () => {
    const edge = createEdge({
      world: { zones: [{ id: "z", name: "shop.example", settings: { transformations: "on" } }] },
      imageSource: () => png,
    });
    const response = await edge.fetch(new Request(`https://shop.example/cdn-cgi/image/${list}/a.png`));
    const { bytes, contentType, warnings } = await rendered(png, list);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(contentType).toBe(response.headers.get("content-type"));
    expect(warnings).toEqual(["gravity=face is not simulated"]);
  });

  test("accepts a list, its parsed options, and an object as that of a Worker", async () => {
    const parsed = parseTransformation(list);
    if (!parsed.ok) throw new Error("invalid example");
    const trim = { top: 1, right: 2, bottom: 3, left: 4 };
    const object = {
      width: 20,
      height: 20,
      fit: "pad",
      background: "red",
      trim,
      gravity: "face",
      format: "webp",
    };
    const [first, ...others] = await Promise.all(
      [list, parsed.value.options, object].map((options) => rendered(png, options)),
    );
    for (const other of others) expect(other).toEqual(first);
  });

  test("parsed options cannot be changed to values that were not checked", () => {
    const parsed = parseTransformation(list);
    const options = (parsed.ok ? parsed.value.options : {}) as { width: unknown; background: { r: unknown } };
    expect(() => (options.width = "x")).toThrow(TypeError);
    expect(() => (options.background.r = "x")).toThrow(TypeError);
  });

  test("follows Accept only for the format `auto`, and keeps the format without one", async () => {
    const types = await Promise.all(
      ["w=9", "w=9,f=auto"].map(
        async (options) => (await rendered(png, options, { accept: "image/webp" })).contentType,
      ),
    );
    expect(types).toEqual(["image/png", "image/webp"]);
  });

  test("has no client: `width=auto` is that of a desktop, and `onerror` is a warning", async () => {
    const { width, warnings } = await rendered(png, "w=auto,wdesktop=30,onerror=redirect");
    expect([width, warnings]).toEqual([30, ["onerror has no effect here"]]);
  });

  test("describes the picture with format=json", async () => {
    const { bytes, contentType } = await rendered(png, "w=30,f=json");
    expect([contentType, JSON.parse(Buffer.from(bytes).toString()).width]).toEqual(["application/json", 30]);
  });

  test.each([
    [png, "w=0,h=0", [9401, 9401]],
    [png, { width: 0 }, [9401]],
    [png, { background: { r: 1 } }, [9401]],
    [png, "trim=30;0;30;0", [9401]],
    [Buffer.from("no picture"), "w=4", [9412]],
    [png.subarray(0, 60), "w=4", [9516]],
  ])("%# rejects options and files with their codes", async (bytes, options, codes) => {
    const result = await transformPicture(bytes, options);
    expect(result.ok ? [] : result.problems.map(({ code }) => code)).toEqual(codes);
  });
});
