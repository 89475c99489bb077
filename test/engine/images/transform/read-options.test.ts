/** Options of transformations: lists of addresses and objects of Workers. */
import { describe, expect, test } from "vitest";
import { parseTransformation } from "../../../../src/engine/images/request/parse-transformation.ts";
import { transformOptionNames, transformOptions } from "../../../../src/engine/images/transform/options.ts";
import { readOptionObject } from "../../../../src/engine/images/transform/read-options.ts";

/** The options and warnings of a list, or the message of its problem. */
function read(list: string) {
  const result = parseTransformation(list);
  return result.ok ? [result.value.options, result.value.warnings] : result.problems[0].message;
}

describe("a list", () => {
  test.each([
    ["width=400,sharpen=3", { width: 400, sharpen: 3 }],
    [
      "w=400,h=300,g=auto,q=low,f=avif",
      { width: 400, height: 300, gravity: "auto", quality: 35, format: "avif" },
    ],
    ["gravity=0.5x0.25", { gravity: { x: 0.5, y: 0.25, mode: "remainder" } }],
    ["g=left", { gravity: { x: 0, y: 0.5, mode: "remainder" } }],
    ["trim=1;2;3;0.5", { trim: { box: { top: 1, right: 2, bottom: 3, left: 0.5 } } }],
    [
      "trim.left=1,w=5,trim.width=2,trim.height=3",
      { width: 5, trim: { box: { left: 1, width: 2, height: 3 } } },
    ],
    ["trim=border", { trim: { border: { tolerance: 10, keep: 0 } } }],
    [
      "trim.border.color=red,trim.border.keep=2",
      { trim: { border: { color: { r: 255, g: 0, b: 0, alpha: 1 }, tolerance: 10, keep: 2 } } },
    ],
    ["background=%23f0f", { background: { r: 255, g: 0, b: 255, alpha: 1 } }],
    ["background=hsl(120%2C100%%2C50%)", undefined],
    ["background=hsl(120%2C100%25%2C50%25)", { background: { r: 0, g: 255, b: 0, alpha: 1 } }],
    ["width=auto,wbreakpoints=320;768", { width: "auto", wbreakpoints: [320, 768] }],
    ["anim=false,onerror=redirect", { anim: false, onerror: "redirect" }],
  ])("%s", (list, options) => {
    if (options) expect(read(list)).toEqual([options, []]);
    else expect(read(list)).toMatch(/percent-encoded correctly/);
  });

  test("the first of repeated names counts, and the long name before its alias", () => {
    expect(read("w=10,w=20")).toEqual([{ width: 10 }, []]);
    expect(read("w=10,width=20")).toEqual([{ width: 20 }, []]);
  });

  test("unknown names, and options of other places, have no effect and a warning", () => {
    expect(read("w=1,bg=red,border=red")).toEqual([
      { width: 1 },
      ["bg is not an option here and has no effect", "border is not an option here and has no effect"],
    ]);
    expect(read("w=1,%C3%BC%0A=2")).toEqual([{ width: 1 }, ["?? is not an option here and has no effect"]]);
  });

  test.each([
    ["", /`name=value`/],
    ["w", /`name=value`/],
    ["=1", /`name=value`/],
    ["w=%zz", /`name=value`/],
    ["w=0", /resizing parameters: `0`; `w` must be an integer from 1 to 12000, or one of auto/],
    ["w=1e3", /integer/],
    ["h=12001", /integer/],
    ["blur=300", /a number from 0 to 250/],
    ["sharpen=11", /a number from 0 to 10/],
    ["dpr=0", /above 0/],
    ["rotate=45", /one of 0, 90, 180, 270, 360/],
    ["fit=zoom", /one of scale-down/],
    ["background=lab(50 20 30)", /a color of CSS/],
    ["background=red;x", /a color of CSS/],
    ["trim=1;2;3", /pixels, or shares below 1/],
    ["trim=1.5;0;0;0", /pixels, or shares below 1/],
    ["trim.__proto__=1", /pixels, or shares below 1/],
    ["trim.width=0", /pixels, or shares below 1/],
    ["wbreakpoints=768;320", /ascending/],
    ["gravity=2x0", /a point/],
  ])("%s is rejected with 9401", (list, message) => {
    const result = parseTransformation(list);
    expect(result.ok ? undefined : [result.problems[0].code, result.problems[0].message]).toEqual([
      9401,
      expect.stringMatching(message),
    ]);
  });
});

describe("an object", () => {
  const of = (value: unknown, place: "fetch" | "binding" | "draw" = "fetch") => {
    const result = readOptionObject(value, place);
    return result.ok ? [result.value.options, result.value.warnings.length] : result.problems[0].message;
  };

  test("has numbers, and members that are null count as absent", () => {
    expect(of({ width: 4, height: null, gravity: { x: 0.2, y: 1, mode: "box-center" } })).toEqual([
      { width: 4, gravity: { x: 0.2, y: 1, mode: "box-center" } },
      0,
    ]);
    expect(of({ border: { color: "white", width: 2 }, trim: { border: true } }, "binding")).toEqual([
      {
        border: { color: { r: 255, g: 255, b: 255, alpha: 1 }, top: 2, right: 2, bottom: 2, left: 2 },
        trim: { border: { tolerance: 10, keep: 0 } },
      },
      0,
    ]);
    expect(of({ quality: 5 }, "binding")).toEqual([{}, 1]);
  });

  test.each([[null], ["w=1"], [[]], [{ width: 0 }], [{ border: { width: 1, top: 2 } }], [{ trim: {} }]])(
    "%j is rejected",
    (value) => {
      expect(of(value)).toMatch(/Missing or invalid resizing parameters/);
    },
  );
});

test("no name is used twice", () => {
  const names = transformOptionNames.flatMap((name) => [name, ...transformOptions[name].aliases]);
  expect(new Set(names).size).toBe(names.length);
});

test.each([
  [{ width: Number.NaN }],
  [{ blur: Number.NaN }],
  [{ trim: { border: { tolerance: Number.NaN } } }],
  [{ gravity: { x: Number.NaN } }],
])("NaN is rejected in %j, and named as what it is", (options) => {
  const read = readOptionObject(options, "binding");
  expect(read).toMatchObject({ ok: false, problems: [{ code: 9401 }] });
  if (!read.ok && ("width" in options || "blur" in options))
    expect(read.problems[0].message).toContain("`NaN` (not a number)");
});
