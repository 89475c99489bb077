/** Lists of options without a world: all problems with their places, warnings, and advice for the values of loaders. */
import { type ParsedTransformation, parseTransformation, type Result } from "edgeproof/images";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

/** The part of the list that each problem is about, with its message. */
function problemsOf(list: string) {
  const parsed: Result<ParsedTransformation> = parseTransformation(list);
  return parsed.ok ? [] : parsed.problems.map(({ span, message }) => [partAt(list, span), message] as const);
}

function partAt(list: string, span: { readonly start: number; readonly end: number } | undefined) {
  return span && list.slice(span.start, span.end);
}

describe("problems", () => {
  test("all of them are reported in the order of the list, each with its option, the value and what is allowed", () => {
    expect(problemsOf("q=0,w=4,h,fit=zoom,trim.left=x,trim.top=1")).toEqual([
      ["q=0", expect.stringMatching(/`0`; `q` must be an integer from 1 to 100/)],
      ["h", expect.stringMatching(/`h`; an option must have the format `name=value`/)],
      ["fit=zoom", expect.stringMatching(/`zoom`; `fit` must be one of scale-down, /)],
      ["trim.left=x", expect.stringMatching(/`trim` must be /)],
    ]);
  });

  test("the place of an encoded option is that in the encoded list", () => {
    expect(problemsOf("background=%23fff,%77=%30")).toEqual([
      ["%77=%30", expect.stringMatching(/`0`; `w` must/)],
    ]);
  });

  test("names of prototypes are parts of no trim, also beside valid parts", () => {
    expect(problemsOf("trim.left=1,trim.__proto__.top=5")).toHaveLength(1);
  });

  test("a list over the maximum length is one problem", () => {
    const problems = problemsOf(",".repeat(20_000));
    expect(problems).toEqual([[undefined, expect.stringMatching(/at most 16384 characters; it has 20000/)]]);
  });

  test("every problem of any string has code 9401 and a part of the string", () => {
    const piece = fc.constantFrom(
      "w=",
      "4",
      ",",
      "=",
      "trim.",
      "top",
      "%",
      "%2C",
      "fit=",
      "cover",
      "ü",
      "\u{1f600}",
      ";",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(piece).map((parts) => parts.join("")),
        ),
        (list) => {
          const parsed = parseTransformation(list);
          if (parsed.ok) return;
          for (const { code, span } of parsed.problems) {
            expect(code).toBe(9401);
            expect(list.split(",")).toContain(partAt(list, span));
          }
        },
      ),
    );
  });
});

test("unknown names, what is not simulated and fits that need both sides are warnings", () => {
  const parsed = parseTransformation("w=9,fit=cover,g=face,zoom=1,bg=red");
  expect(parsed.ok && parsed.value.warnings).toEqual([
    "bg is not an option here and has no effect",
    "zoom is not simulated",
    "gravity=face is not simulated",
    "cover fit mode needs both width and height",
  ]);
  const auto = parseTransformation("w=auto,h=9,fit=cover");
  expect(auto.ok && auto.value.warnings).toEqual([]);
});

/** The lists that loaders make of the values that their types and documentation have. */
const fits = {
  astro: ["fill", "contain", "cover", "scale-down"],
  nuxt: ["cover", "contain", "scale-down", "crop", "pad"],
};
const loaders: Readonly<Record<string, readonly string[]>> = {
  "Next.js": [
    ...[64, 640, 3840].map((width) => `width=${width},quality=75,format=auto`),
    "width=640,quality=undefined,format=auto",
    "width=640,quality=auto,format=auto",
  ],
  Astro: fits.astro.flatMap((fit) =>
    ["low", "mid", "high", "max", 80].flatMap((quality) =>
      ["avif", "png", "webp", "jpeg", "jpg", "svg"].map(
        (format) => `onerror=redirect,width=40,height=30,quality=${quality},fit=${fit},format=${format}`,
      ),
    ),
  ),
  "Nuxt Image": fits.nuxt.flatMap((fit) =>
    ["auto", "webp", "jpg", "gif"].flatMap((format) =>
      ["auto", "side"].map((g) => `w=40,fit=${fit},f=${format},g=${g}`),
    ),
  ),
  unpic: [
    ...["auto", "json", "jpeg", "png", "webp", "avif"].map(
      (format) => `width=200,height=100,f=${format},fit=cover`,
    ),
    "width=200,trim=%5Bobject%20Object%5D,f=auto,fit=cover",
  ],
};

describe("loaders", () => {
  test.each(Object.entries(loaders))(
    "a rejected value of %s has advice about the option of the loader",
    (name, lists) => {
      const rejected = lists.flatMap(problemsOf);
      expect(rejected.length).toBeGreaterThan(0);
      for (const [, message] of rejected) expect(message).toMatch(new RegExp(`(${name}|the loader)\\b`));
    },
  );

  test("what the advice names is accepted", () => {
    for (const list of ["fit=squeeze", "fit=contain", "q=high", "q=75", "f=jpeg", "g=left", "trim=1;2;3;4"])
      expect(problemsOf(list)).toEqual([]);
  });

  test("a value that no known loader sends has none", () => {
    expect(problemsOf("fit=zoom")[0]?.[1]).toMatch(/scale-up[^;]*\.$/);
  });
});
