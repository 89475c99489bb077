/** A page of another origin in Chromium uploads a file to an upload address and draws a delivered image. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { serveOnNode } from "../../../src/http/node-server.ts";
import { jsonOf } from "../../support/client.ts";
import { png } from "../../support/images.ts";
import { isMissing, sharedChromium } from "../../support/workbench-browser.ts";

let pages: Server;
beforeAll(async () => {
  pages = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>page</title>");
  });
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  pages.closeAllConnections();
  pages.close();
});

interface Outcome {
  /** The result of the upload, or the name of the error that the page got. */
  readonly uploaded: unknown;
  /** Width, height and the first pixel of the image; or the name of the error. */
  readonly drawn: unknown;
}

/** Uploads and draws within the page, which is on another port than the interface. */
async function visit(options: EdgeOptions): Promise<Outcome> {
  const server = await serveOnNode(createEdge(options).fetch, { port: 0, allowedHosts: [] });
  const page = await (await sharedChromium()).newPage();
  try {
    await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
    const drafts = `${server.url}/client/v4/accounts/a1/images/v2/direct_upload`;
    const headers = { authorization: "Bearer t" };
    const first = await jsonOf(await fetch(drafts, { method: "POST", headers }));
    const file = [...(await png(10, 4, 3))];
    const uploaded = await page.evaluate(upload, { url: first.result.uploadURL, file });
    const get = `${server.url}/client/v4/accounts/a1/images/v1/${first.result.id}`;
    const { result } = await jsonOf(await fetch(get, { headers }));
    return { uploaded, drawn: await page.evaluate(draw, result.variants[0]) };
  } finally {
    await page.close();
    await server.close();
  }
}

/** Runs in the page. An additional header makes the browser send a preflight. */
async function upload({ url, file }: { readonly url: string; readonly file: readonly number[] }) {
  const body = new FormData();
  body.append("file", new Blob([new Uint8Array(file)], { type: "image/png" }), "cat.png");
  try {
    const response = await fetch(url, { method: "POST", body, headers: { "x-requested-with": "page" } });
    return ((await response.json()) as { result: { filename: string } }).result.filename;
  } catch (error) {
    return (error as Error).name;
  }
}

/** Runs in the page. Reading the pixels of an image of another origin needs its permission. */
async function draw(url: string): Promise<unknown> {
  // The types of the page's own objects are those of a browser, which this project does not load.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const { document, Image } = globalThis as any;
  const image = new Image();
  image.crossOrigin = "anonymous";
  image.src = url;
  try {
    await image.decode();
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data as number[];
    return [image.naturalWidth, image.naturalHeight, red, green, blue].map(Number);
  } catch (error) {
    return (error as Error).name;
  }
}

test.skipIf(isMissing)("by default a page uploads a file and draws the delivered image", async () => {
  const { uploaded, drawn } = await visit({});
  expect(uploaded).toBe("cat.png");
  const [width, height, red, green, blue] = drawn as number[];
  expect([width, height]).toEqual([4, 3]);
  // AVIF and WebP change colors a little.
  for (const [found, sent] of [
    [red!, 10],
    [green!, 120],
    [blue!, 30],
  ] as const)
    expect(Math.abs(found - sent)).toBeLessThan(8);
});

test.skipIf(isMissing)("with `cors: false` the browser keeps the page from both", async () => {
  expect(await visit({ cors: false })).toEqual({ uploaded: "TypeError", drawn: "EncodingError" });
});
