/** The runtime's own Images binding inside workerd, whose service is this package: in process, and a server. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createEdge } from "edgeproof";
import { serveOnNode } from "edgeproof/http";
import { createImagesBindingFetch, imagesBinding } from "edgeproof/images";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { animation, noisy, plain } from "../engine/images/pictures.ts";
import { assertShownResults } from "../support/example-code.ts";
import { runModule } from "../support/examples.ts";
import { runs } from "../support/runs.ts";

const miniflare = pathToFileURL(
  resolve("test/clients/workers/node_modules/miniflare/dist/src/index.js"),
).href;

interface Source {
  readonly picture: string;
  readonly isBase64?: boolean;
}

interface Image {
  readonly source: Source;
  readonly steps: readonly Step[];
}

type Step =
  | { readonly transform: object }
  | { readonly draw: Image; readonly isStream: boolean; readonly placement: object };

/** Calls of the binding as data. */
type Program =
  | { readonly info: Source }
  | { readonly image: Image; readonly output: object; readonly isBase64: boolean };

type Binding = ReturnType<typeof imagesBinding>;
type Options = Readonly<Record<string, unknown>>;
type Transformer = ReturnType<Binding["input"]>;

/** Runs calls, in this process and as text in a Worker: it refers to nothing outside of itself. */
async function run(images: Binding, program: Program, pictures: Record<string, string>): Promise<object> {
  const open = ({ picture, isBase64 }: Source) => {
    const text = pictures[picture]!;
    const bytes = isBase64
      ? new TextEncoder().encode(text)
      : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    return [new Blob([bytes]).stream(), isBase64 ? { encoding: "base64" as const } : {}] as const;
  };
  const build = ({ source, steps }: Image): Transformer => {
    let image = images.input(...open(source));
    for (const step of steps)
      if ("transform" in step) image = image.transform(step.transform as Options);
      else if (step.isStream)
        image = image.draw(open({ picture: step.draw.source.picture })[0], step.placement as Options);
      else image = image.draw(build(step.draw), step.placement as Options);
    return image;
  };
  try {
    if ("info" in program) return { info: await images.info(...open(program.info)) };
    const result = await build(program.image).output(program.output as Parameters<Transformer["output"]>[0]);
    const stream = result.image(program.isBase64 ? { encoding: "base64" } : {});
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return { contentType: result.contentType(), bytes: btoa(text) };
  } catch (error) {
    const { code, message } = error as { code?: number; message: string };
    return { code, message };
  }
}

const files: Readonly<Record<string, Uint8Array>> = {
  png: await noisy(24, 18).png().toBuffer(),
  clear: await plain(9, 7, [0, 0, 200]).ensureAlpha(0.4).png().toBuffer(),
  jpeg: await noisy(20, 30).jpeg().toBuffer(),
  film: await animation(3, 12, 10, "gif"),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><g/></svg>'),
  cut: (await noisy(60, 60).jpeg().toBuffer()).subarray(0, 1_500),
  html: Buffer.from("<html></html>"),
  empty: Buffer.from(""),
};
const pictures = Object.fromEntries(
  Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
);

const picture = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom("png", "clear", "jpeg", "film") },
  { weight: 1, arbitrary: fc.constantFrom("svg", "cut", "html", "empty") },
);
const members = <T extends object>(valid: readonly T[], wrong: readonly object[]) =>
  fc
    .tuple(
      fc.subarray([...valid], { maxLength: 3 }),
      fc.oneof(
        { weight: 20, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: fc.constantFrom(...wrong) },
      ),
    )
    .map(([some, bad]): object => Object.assign({}, ...some, bad));
const options = members(
  [
    { width: 13 },
    { height: 9 },
    { fit: "cover" },
    { rotate: 90 },
    { flip: "h" },
    { blur: 2 },
    { trim: { top: 2, border: false } },
    { gravity: { x: 0.3, y: 0.7 } },
    { background: "#12345680" },
    { border: { color: "red", width: 2 } },
    { saturation: 0 },
    { sharpen: null },
    { widht: 5 },
  ],
  [{ width: 0 }, { rotate: 45 }, { gravity: "é\n\u{1f600}" }, { trim: [[]] }, { background: "" }],
);
const placement = members(
  [{ top: 2 }, { left: 3 }, { opacity: 0.5 }, { repeat: "x" }, { composite: "xor" }, { other: 1 }],
  [{ bottom: 1, top: 1 }, { opacity: 2 }, { repeat: "z" }, { right: 1.5 }],
);
const source = fc.record({ picture, isBase64: fc.boolean() });
const image: fc.Arbitrary<Image> = fc.letrec<{ image: Image; step: Step }>((tie) => ({
  image: fc.record({ source, steps: fc.array(tie("step"), { maxLength: 3, depthIdentifier: "d" }) }),
  step: fc.oneof(
    { maxDepth: 2, depthIdentifier: "d" },
    options.map((transform) => ({ transform })),
    fc.record({ draw: tie("image"), isStream: fc.boolean(), placement }),
  ),
})).image;
const output = fc.record({
  format: fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom("image/png", "image/jpeg", "image/webp", "image/gif", "rgb", "rgba"),
    },
    { weight: 1, arbitrary: fc.constantFrom("image/bmp", "", "auto") },
  ),
  more: members(
    [{ quality: 40 }, { background: "lime" }, { anim: false }],
    [{ quality: 0 }, { quality: 50.5 }, { background: "none?" }],
  ),
});
const program: fc.Arbitrary<Program> = fc.oneof(
  { weight: 1, arbitrary: source.map((info) => ({ info })) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(image, output, fc.boolean())
      .map(([base, { format, more }, isBase64]) => ({ image: base, output: { format, ...more }, isBase64 })),
  },
);

const script = `const run = ${run};
export default {
  async fetch(request, { IMAGES, PICTURES }) {
    return Response.json(await run(IMAGES, await request.json(), PICTURES));
  },
};`;
const wrapped = [
  {
    type: "ESModule",
    path: "images.js",
    contents: 'export { default } from "cloudflare-internal:images-api";',
  },
];

interface Runtime {
  ask(program: Program): Promise<unknown>;
  dispose(): Promise<void>;
}

/** A Worker with the runtime's binding. @param fetcher the service of the binding */
async function startWorker(fetcher: unknown): Promise<Runtime> {
  const { Miniflare } = await import(miniflare);
  const runtime = new Miniflare({
    workers: [
      {
        name: "app",
        modules: true,
        script,
        compatibilityDate: "2026-07-01",
        bindings: { PICTURES: pictures },
        wrappedBindings: { IMAGES: { scriptName: "images" } },
      },
      { name: "images", modules: wrapped, serviceBindings: { fetcher } },
    ],
  });
  await runtime.ready;
  return {
    ask: async (program) => {
      const body = JSON.stringify(program);
      return (await runtime.dispatchFetch("https://app.example/", { method: "POST", body })).json();
    },
    dispose: () => runtime.dispose(),
  };
}

const edge = createEdge();
const server = await serveOnNode(edge.fetch, { port: 0, allowedHosts: ["js.images.cloudflare.com"] });
const services: Readonly<Record<string, unknown>> = {
  "the fetch handler": createImagesBindingFetch(),
  "a server": { external: { address: new URL(server.url).host, http: {} } },
};
const workers = new Map<string, Runtime>();
beforeAll(async () => {
  for (const [name, fetcher] of Object.entries(services)) workers.set(name, await startWorker(fetcher));
}, 300_000);
afterAll(async () => {
  for (const worker of workers.values()) await worker.dispose();
  await server.close();
});

test.each(Object.keys(services))(
  "the runtime's binding has the bytes and the errors of the one in process, by %s",
  async (name) => {
    const worker = workers.get(name)!;
    const met = { images: 0, infos: 0, errors: 0, drawn: 0 };
    await fc.assert(
      fc.asyncProperty(program, async (calls) => {
        const expected = JSON.parse(JSON.stringify(await run(imagesBinding(), calls, pictures)));
        expect(await worker.ask(calls)).toEqual(expected);
        if ("bytes" in expected) met.images++;
        if ("info" in expected) met.infos++;
        if ("code" in expected) met.errors++;
        if (JSON.stringify(calls).includes('"draw"') && "bytes" in expected) met.drawn++;
      }),
      { numRuns: runs(500) },
    );
    expect(Math.min(...Object.values(met)), JSON.stringify(met)).toBeGreaterThan(0);
  },
  600_000,
);

test("the guide's test inside workerd passes as it is written", async () => {
  const guide = readFileSync("docs/images.md", "utf8");
  const [, block = ""] = /^```ts fragment\n(import [^`]*?miniflare[\s\S]*?)^```$/m.exec(guide) ?? [];
  const { code, assertions } = assertShownResults(block);
  expect(assertions).toBeGreaterThan(0);
  await runModule("docs images miniflare", code.replace('"miniflare"', JSON.stringify(miniflare)));
});
