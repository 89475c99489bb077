/** The service of the Images binding over HTTP: forms as the runtime writes them, and forms that it never writes. */
import { createEdge } from "edgeproof";
import { createImagesBindingFetch, imagesBinding } from "edgeproof/images";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { noisy, plain, quarters } from "../../engine/images/pictures.ts";
import { provoked } from "../../support/failure.ts";
import { validating } from "../../support/interface.ts";

type Part = readonly [name: string, value: string | Uint8Array];

const picture = await quarters(40, 20);
const mark = await plain(4, 4, [9, 9, 9]).png().toBuffer();
const cut = (await noisy(90, 90).jpeg().toBuffer()).subarray(0, 2_000);
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><g/></svg>');
const base: readonly Part[] = [["image", picture]];
const png: readonly Part[] = [["output_format", "image/png"]];

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of parts)
    form.append(name, typeof value === "string" ? value : new Blob([value as Uint8Array<ArrayBuffer>]));
  return form;
}

const handle = createImagesBindingFetch();
const edge = createEdge();
const ways = [
  ["the fetch handler", "https://js.example", handle],
  ["the simulator", "https://edge.test", validating(edge.fetch)],
] as const;

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly code: number;
  readonly text: string;
}

async function answerOf(response: Response): Promise<Answer> {
  const [, code] = /^err=(\d+)$/.exec(response.headers.get("cf-images-binding") ?? "") ?? [];
  if (code !== undefined) provoked(Number(code));
  const type = response.headers.get("content-type");
  return { status: response.status, type, code: Number(code ?? 0), text: await response.text() };
}

const post = (
  path: string,
  body: FormData | ReadableStream<Uint8Array> | string,
  headers: Record<string, string> = {},
) =>
  new Request(`https://edge.test${path}`, { method: "POST", body, headers, duplex: "half" } as RequestInit);
const transform = (parts: readonly Part[]) => post("/transform", formOf(parts));
const operations = (...list: readonly unknown[]): Part => ["transforms", JSON.stringify(list)];

describe.each(ways)("%s", (_, _url, fetch) => {
  test("transforms and draws in the order of the operations, those of overlays first", async () => {
    const response = await fetch(
      transform([
        ...base,
        ["draw_image", mark],
        ["draw_image", picture],
        operations(
          { imageIndex: 0, rotate: 90 },
          { imageIndex: 2, width: 8 },
          { drawImageIndex: 1, targetImageIndex: 2, top: 0, left: 0 },
          { drawImageIndex: 2, targetImageIndex: 0, bottom: 0, right: 0 },
        ),
        ...png,
      ]),
    );
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    const images = imagesBinding();
    const streamOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
    const drawn = images
      .input(streamOf(picture))
      .transform({ width: 8 })
      .draw(streamOf(mark), { top: 0, left: 0 });
    const expected = await images
      .input(streamOf(picture))
      .transform({ rotate: 90 })
      .draw(drawn, { bottom: 0, right: 0 })
      .output({ format: "image/png" });
    const bytes = Buffer.from(await expected.response().arrayBuffer());
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("has quality, background and anim of the output, and accepts operations without an index", async () => {
    const response = await fetch(
      transform([
        ["image", await plain(8, 8).ensureAlpha(0).png().toBuffer()],
        operations({ width: 4 }),
        ["output_format", "rgba"],
        ["output_quality", "50"],
        ["background", "#00ff00"],
        ["anim", "false"],
      ]),
    );
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "rgba"]);
    expect([...new Uint8Array(await response.arrayBuffer())].slice(0, 4)).toEqual([0, 255, 0, 255]);
  });

  test("describes an image, and an SVG by its format alone", async () => {
    const info = async (bytes: Uint8Array) => {
      const response = await fetch(post("/info", formOf([["image", bytes]])));
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      return response.json();
    };
    expect(await info(picture)).toEqual({
      format: "image/png",
      file_size: picture.length,
      width: 40,
      height: 20,
    });
    expect(await info(svg)).toEqual({ format: "image/svg+xml" });
  });

  test("an SVG is cleaned, and cannot act as a page of this host", async () => {
    const response = await fetch(transform([["image", svg], operations(), ...png]));
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).not.toContain("onload");
  });

  test("options without effect are headers `warning`", async () => {
    const response = await fetch(transform([...base, operations({ imageIndex: 0, widht: 4 }), ...png]));
    expect([response.status, response.headers.get("warning")]).toEqual([
      200,
      'cf-images 299 "widht is not an option here and has no effect"',
    ]);
  });

  const wrong: readonly (readonly [string, readonly Part[], number, RegExp])[] = [
    ["no image", [operations(), ...png], 9523, /`image` or `text_input`/],
    ["two images", [...base, ...base, operations(), ...png], 9523, /at most 1 of the part `image`/],
    ["an image and a text", [...base, ["text_input", "{}"], operations(), ...png], 9523, /it has both/],
    ["no operations", [...base, ...png], 9523, /`transforms`; it is missing/],
    ["two lists of operations", [...base, operations(), operations(), ...png], 9523, /at most 1 of/],
    [
      "operations that are not JSON",
      [...base, ["transforms", "[{"], ...png],
      9523,
      /must be JSON; found `\[\{`/,
    ],
    ["deep operations", [...base, ["transforms", "[".repeat(500_000)], ...png], 9523, /must be JSON/],
    [
      "operations that are an object",
      [...base, ["transforms", "{}"], ...png],
      9523,
      /a JSON array; found an object/,
    ],
    [
      "an operation that is a number",
      [...base, operations(5), ...png],
      9523,
      /`transforms\[0\]` must be an object; found `5`/,
    ],
    [
      "too many operations",
      [...base, operations(...Array(1_001).fill({})), ...png],
      9523,
      /at most 1000 elements; found 1001/,
    ],
    [
      "long operations",
      [...base, ["transforms", " ".repeat(1_048_577)], ...png],
      9523,
      /at most 1048576 bytes/,
    ],
    [
      "bytes that are not UTF-8",
      [...base, ["transforms", new Uint8Array([0xff])], ...png],
      9523,
      /not UTF-8/,
    ],
    [
      "an unknown part",
      [...base, operations(), ["draw_video", "x"]],
      9523,
      /must be image, .*; found `draw_video`/,
    ],
    ["an inherited name", [...base, operations(), ["__proto__", "x"]], 9523, /found `__proto__`/],
    [
      "an index of no image",
      [...base, operations({ imageIndex: 1 }), ...png],
      9523,
      /imageIndex` must be an integer from 0 to 0; found `1`/,
    ],
    ["a negative index", [...base, operations({ imageIndex: -1 }), ...png], 9523, /found `-1`/],
    ["an index that is a string", [...base, operations({ imageIndex: "0" }), ...png], 9523, /found `0`/],
    [
      "drawing without pictures to draw",
      [...base, operations({ drawImageIndex: 1, targetImageIndex: 0 }), ...png],
      9523,
      /nothing to draw/,
    ],
    [
      "drawing the image itself",
      [...base, ["draw_image", mark], operations({ drawImageIndex: 0, targetImageIndex: 1 }), ...png],
      9523,
      /drawImageIndex` must be an integer from 1 to 1/,
    ],
    [
      "drawing without a target",
      [...base, ["draw_image", mark], operations({ drawImageIndex: 1 }), ...png],
      9523,
      /targetImageIndex` must be an integer from 0 to 1; found nothing/,
    ],
    [
      "drawing on itself",
      [...base, ["draw_image", mark], operations({ drawImageIndex: 1, targetImageIndex: 1 }), ...png],
      9523,
      /on itself/,
    ],
    [
      "all three indexes",
      [
        ...base,
        ["draw_image", mark],
        operations({ imageIndex: 0, drawImageIndex: 1, targetImageIndex: 0 }),
        ...png,
      ],
      9523,
      /it has both/,
    ],
    [
      "drawing twice",
      [
        ...base,
        ["draw_image", mark],
        operations({ drawImageIndex: 1, targetImageIndex: 0 }, { drawImageIndex: 1, targetImageIndex: 0 }),
        ...png,
      ],
      9525,
      /`transforms\[1\]` uses image 1/,
    ],
    [
      "two that are drawn on each other",
      [
        ...base,
        ["draw_image", mark],
        ["draw_image", mark],
        operations({ drawImageIndex: 1, targetImageIndex: 2 }, { drawImageIndex: 2, targetImageIndex: 1 }),
        ...png,
      ],
      9525,
      /uses image 1/,
    ],
    [
      "a transformation after the drawing",
      [
        ...base,
        ["draw_image", mark],
        operations({ drawImageIndex: 1, targetImageIndex: 0 }, { imageIndex: 1, width: 2 }),
        ...png,
      ],
      9525,
      /uses image 1/,
    ],
    [
      "a picture that is not drawn",
      [...base, ["draw_image", mark], operations(), ...png],
      9523,
      /draws image 1/,
    ],
    [
      "a text that is not JSON",
      [["text_input", "x"], operations(), ...png],
      9523,
      /`text_input` must be JSON/,
    ],
    [
      "a text without content",
      [["text_input", '{"font":"x"}'], operations(), ...png],
      9523,
      /`text` of `text_input` must be a string; found nothing/,
    ],
    [
      "a text that is drawn and is no object",
      [...base, ["draw_text", "[]"], operations(), ...png],
      9523,
      /`draw_text` must be a JSON object/,
    ],
    [
      "an invalid option",
      [...base, operations({ imageIndex: 0, width: 0 }), ...png],
      9401,
      /`width` must be/,
    ],
    [
      "an invalid placement",
      [
        ...base,
        ["draw_image", mark],
        operations({ drawImageIndex: 1, targetImageIndex: 0, top: -1 }),
        ...png,
      ],
      9401,
      /`top` of an overlay/,
    ],
    ["no format", [...base, operations()], 9401, /`format` must be one of .*; found nothing/],
    [
      "an invalid quality",
      [...base, operations(), ...png, ["output_quality", "0"]],
      9401,
      /`quality` must be/,
    ],
    ["an invalid anim", [...base, operations(), ...png, ["anim", "1"]], 9401, /`anim` must be/],
    ["no picture", [["image", Buffer.from("x")], operations(), ...png], 9412, /^ERROR 9412: /],
    [
      "an overlay that is not a picture",
      [...base, ["draw_image", svg], operations({ drawImageIndex: 1, targetImageIndex: 0 }), ...png],
      9412,
      /raster/,
    ],
    ["a picture that is cut", [["image", cut], operations(), ...png], 9516, /^ERROR 9516: /],
  ];
  test.each(wrong)("%s is an error as plain text with its code", async (_name, parts, code, text) => {
    const answer = await answerOf(await fetch(transform(parts)));
    expect(answer).toMatchObject({ code, type: "text/plain; charset=utf-8" });
    expect(answer.text).toMatch(new RegExp(`^ERROR ${code}: `));
    expect(answer.text).toMatch(text);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });

  test("an input of more than 20 MB is 9413, before the rest of it is read", async () => {
    const large = new Uint8Array(20_000_001);
    for (const path of ["/info", "/transform"]) {
      const answer = await answerOf(await fetch(post(path, formOf([["image", large]]))));
      expect(answer).toMatchObject({ code: 9413, text: expect.stringContaining("at most 20000000 bytes") });
    }
    const overlay = await answerOf(await fetch(transform([...base, ["draw_image", large]])));
    expect(overlay.code).toBe(9413);
    let sent = 0;
    const type = "multipart/form-data; boundary=b";
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const head = '--b\r\ncontent-disposition: form-data; name="image"; filename="x"\r\n\r\n';
        controller.enqueue(sent++ === 0 ? Buffer.from(head) : new Uint8Array(1_000_000));
      },
    });
    expect((await answerOf(await fetch(post("/info", endless, { "content-type": type })))).code).toBe(9413);
    // A socket and its client send on until the answer has arrived.
    expect(sent).toBeLessThan(process.env["EDGEPROOF_TRANSPORT"] === "socket" ? 400 : 40);
  });

  test.each([
    ["another content type", "{}", "application/json", /`multipart\/form-data`; found `application\/json`/],
    ["no boundary", "x", "multipart/form-data", /no valid boundary/],
    ["an empty body", "", "multipart/form-data; boundary=b", /is not a `multipart\/form-data` form/],
    ["a form that ends early", "--b\r\nconte", "multipart/form-data; boundary=b", /is not a/],
  ])("%s is 9523", async (_name, body, type, text) => {
    const answer = await answerOf(await fetch(post("/info", body, { "content-type": type })));
    expect(answer).toMatchObject({ status: 400, code: 9523 });
    expect(answer.text).toMatch(text);
  });
});

test("the fetch handler rejects other methods and paths with 9523", async () => {
  for (const request of [new Request("https://a.test/transform"), post("/upload", "x")]) {
    const answer = await answerOf(await handle(request));
    expect(answer).toMatchObject({ status: 400, code: 9523 });
    expect(answer.text).toMatch(/must be POST \/transform or POST \/info; found `(GET|POST) \//);
  }
});

test("the fetch handler has the options of the binding", async () => {
  const warnings: string[] = [];
  const strict = createImagesBindingFetch({ strict: true, limits: { inputPixels: 900 } });
  const lenient = createImagesBindingFetch({ onWarning: (warning) => warnings.push(warning) });
  const unknown = () => transform([["image", mark], operations({ imageIndex: 0, widht: 4 }), ...png]);
  expect((await answerOf(await strict(unknown()))).code).toBe(9401);
  expect((await lenient(unknown())).status).toBe(200);
  expect(warnings).toEqual(["widht is not an option here and has no effect"]);
  const large = ["image", await plain(31, 31).png().toBuffer()] as const;
  expect((await answerOf(await strict(transform([large, operations(), ...png])))).code).toBe(9413);
});

test("the simulator renders as many at a time as its limits allow, and answers the others with 9522", async () => {
  const busy = createEdge({ limits: { concurrentRenders: 1, queuedRenders: 1 } });
  const large = await noisy(900, 900).png().toBuffer();
  const asked = Array.from({ length: 6 }, () =>
    busy.fetch(transform([["image", large], operations({ imageIndex: 0, blur: 20 }), ...png])).then(answerOf),
  );
  const codes = (await Promise.all(asked)).map(({ code }) => code);
  expect([codes.includes(0), codes.includes(9522), new Set(codes).size]).toEqual([true, true, 2]);
});

test("the simulator has its own limits of pixels", async () => {
  const small = createEdge({ limits: { imageInputPixels: 700 } });
  expect((await answerOf(await small.fetch(transform([...base, operations(), ...png])))).code).toBe(9413);
  expect((await sharp(picture).metadata()).width).toBe(40);
});
