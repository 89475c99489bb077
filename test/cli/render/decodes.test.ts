/** `images render` decodes a file once where its rendering decodes every line, and gives the answers of `validateImage`. */
import { mkdir, mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateImage } from "edgeproof/images";
import { beforeEach, expect, test, vi } from "vitest";
import { noisy } from "../../engine/images/pictures.ts";
import { edgeproof } from "../../support/cli.ts";

/** Types of the files that were decoded for their validation. */
let decoded: string[] = [];

vi.mock("../../../src/engine/images/render/sharp.ts", async (original) => {
  const actual = await original<typeof import("../../../src/engine/images/render/sharp.ts")>();
  const findDecodeError: typeof actual.findDecodeError = (bytes, image, limits) => {
    decoded.push(image.type);
    return actual.findDecodeError(bytes, image, limits);
  };
  return { ...actual, findDecodeError };
});

const formats = ["avif", "gif", "jpeg", "png", "webp"] as const;
const variants = {
  half: { width: 60 },
  square: { fit: "cover", width: 32, height: 32 },
  strip: { fit: "cover", width: 100, height: 20 },
  whole: { fit: "pad", width: 90, height: 90 },
};

let folder: string;
const at = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  await mkdir(at("in"));
  decoded = [];
});

async function render(wanted: object) {
  await writeFile(at("variants.json"), JSON.stringify(wanted));
  const words = ["images", "render", at("in"), at("out"), "--variants", at("variants.json"), "--json"];
  const { code, out } = await edgeproof(words);
  const { pictures } = JSON.parse(out) as {
    pictures: { source: string; variant: string; file?: string; problem?: string }[];
  };
  return { code, pictures };
}

/** Without the decoder's own words, which files that are decoded at the same time mix up. */
const withoutCause = (message: string) => message.replace(/:.*/, "");

const fileOf = (type: (typeof formats)[number]) => noisy(120, 90).toFormat(type).toBuffer();

test("a file that a variant decodes whole is decoded for nothing else", async () => {
  for (const type of formats) await writeFile(at(`in/a.${type}`), await fileOf(type));
  const { code, pictures } = await render(variants);
  expect([code, pictures.length, decoded]).toEqual([0, 20, []]);
});

test("variants without some lines need a decode for each JPEG and PNG, and shrinking ones for each JPEG", async () => {
  for (const type of formats) await writeFile(at(`in/a.${type}`), await fileOf(type));
  const { square, half, strip } = variants;
  expect((await render({ strip })).code).toBe(0);
  expect(decoded.sort()).toEqual(["jpeg", "png"]);
  decoded = [];
  expect((await render({ square, half, strip })).code).toBe(0);
  expect(decoded).toEqual(["jpeg"]);
});

test.each(formats)("damage of a %s rejects all variants with the words of a validation", async (type) => {
  const bytes = await fileOf(type);
  // Beside damage that the header shows, that of the last lines and that of the middle.
  const places = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98].map((share) => Math.floor(share * bytes.length));
  const expected = new Map<string, string>();
  for (const [index, place] of places.entries()) {
    const damaged = Buffer.from(bytes);
    damaged.fill(0xff, place, place + 9);
    const validated = await validateImage(damaged);
    const name = at(`in/${index}.${type}`);
    await writeFile(name, damaged);
    if (!validated.ok) expected.set(name, withoutCause(validated.problems[0].message));
  }
  expect(expected.size).toBeGreaterThan(0);
  const { code, pictures } = await render(variants);
  const problems = pictures.flatMap(({ source, problem }) =>
    problem === undefined ? [] : [[source, withoutCause(problem)]],
  );
  expect(problems).toEqual([...expected].flatMap((message) => [message, message, message, message]));
  expect(code).toBe(1);
  const written = pictures.filter(({ file }) => file).length;
  expect(written).toBe(4 * (places.length - expected.size));
  expect(written === 0 ? [] : await readdir(at("out"))).toHaveLength(written);
});
