/**
 * Delivery through `fetch`: a cached variant against rendering it, requests in a second, and the memory of many
 * simultaneous uploads.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createEdge, type Edge } from "edgeproof";
import { serveOnNode } from "edgeproof/http";
import { renderVariant, type VariantOptions } from "edgeproof/images";
import sharp from "sharp";
import { type Body, measure, median, type Row, type Rows, timeOf } from "./harness.ts";

const api = "https://edge.test/client/v4/accounts/a1/images/v1";
const headers = { authorization: "Bearer t" };
const options = { fit: "cover", width: 512, height: 512, metadata: "none" } satisfies VariantOptions;
/** Number of simultaneous uploads, every other one a progressive JPEG. */
const uploads = 50;
/** Interval of the memory samples, in milliseconds. */
const sampleMs = 5;

/** A photograph of 12 megapixels with grain. */
function photograph(progressive: boolean): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 6 } as const;
  const background = { r: 0, g: 0, b: 0 };
  const create = { width: 4000, height: 3000, channels: 3, background, noise } as const;
  return sharp({ create }).jpeg({ quality: 80, progressive }).toBuffer();
}

async function upload(edge: Edge, bytes: Uint8Array): Promise<readonly string[]> {
  const body = new FormData();
  body.append("file", new Blob([bytes as Uint8Array<ArrayBuffer>]), "photo.jpg");
  const response = await edge.fetch(new Request(api, { method: "POST", headers, body }));
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as { result: { variants: string[] } }).result.variants;
}

export async function* benchImagesDelivery(): Rows {
  const images = { variants: [{ id: "square", options }] };
  const edge = createEdge({ world: { accounts: [{ id: "a1", images }] } });
  const photo = await photograph(false);
  const [, address = ""] = await upload(edge, photo);
  const deliver = async () => (await edge.fetch(new Request(address))).arrayBuffer();
  const rendering = () => renderVariant(photo, options);
  yield measure(
    {
      what: "images: deliver a cached variant of a 12-megapixel JPEG, against rendering it, by the clock",
      ours: deliver,
      peer: rendering,
    },
    { roundMs: 100, rounds: 11 },
  );
  const perSecond = 1e9 / (await timeOf(deliver));
  console.error(`images: ${Math.round(perSecond)} deliveries of a cached variant in a second`);
  await reportMemory(photo);
  yield byProcessorTime(deliver, rendering);
  yield* overSockets();
}

/**
 * A program that asks for an address again and again over four connections, and prints how often it did. It runs in a
 * process of its own, so that the processor time of this one is that of the server.
 */
const client = `
  const http = require("node:http");
  const [address, seconds] = process.argv.slice(1);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });
  const end = Date.now() + Number(seconds) * 1000;
  let count = 0;
  const next = () => Date.now() < end && http.get(address, { agent }, (response) => {
    if (response.statusCode !== 200) throw new Error(address + ": " + response.statusCode);
    response.resume().on("end", () => { count += 1; next(); });
  });
  for (let i = 0; i < 4; i++) next();
  process.on("exit", () => console.log(count));
`;

/** A cached variant and a cached transformation over sockets, against a bare route of the same server with the same bytes. */
async function* overSockets(): Rows {
  const photo = await photograph(false);
  const edge = createEdge({
    world: {
      accounts: [{ id: "a1", images: { variants: [{ id: "square", options }] } }],
      zones: [{ id: "z1", name: "shop.example", settings: { transformations: "on" } }],
    },
    zoneHosts: { "127.0.0.1": "shop.example" },
    // A stream, as from a server: a body of bytes would be copied for each answer, also when it is not read.
    imageSource: () => new Response(streamOf(photo), { headers: { etag: `"photo"` } }),
  });
  const [, variant = ""] = await upload(edge, photo);
  const transformation = "/cdn-cgi/image/width=512,height=512,fit=cover,format=jpeg/photo.jpg";
  const server = await serveOnNode(edge.fetch, { port: 0 });
  try {
    for (const [what, path] of [
      ["variant", new URL(variant).pathname],
      ["transformation", transformation],
    ] as const) {
      const address = `${server.url}${path}`;
      const answer = await fetch(address);
      const bytes = await answer.arrayBuffer();
      const headers = { "content-type": answer.headers.get("content-type") ?? "" };
      const bare = await serveOnNode(async () => new Response(bytes, { headers }), { port: 0 });
      const times: { ours: number; peer: number }[] = [];
      for (let round = 0; round < 7; round++)
        times.push({ ours: await serverNs(address), peer: await serverNs(`${bare.url}/`) });
      await bare.close();
      yield {
        what: `images: deliver a cached ${what} of ${Math.round(bytes.byteLength / 1000)} kB over sockets, against a bare route, by the server's processor time`,
        ours: median(times.map(({ ours }) => ours)),
        peer: median(times.map(({ peer }) => peer)),
        ratio: median(times.map(({ ours, peer }) => peer / ours)),
        target: { atLeast: 0.6 },
      };
    }
  } finally {
    await server.close();
    await edge.close();
  }
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: (controller) => {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}

/** The processor time of this process for a request, while another process asks for an address. */
async function serverNs(address: string): Promise<number> {
  const child = spawn(process.execPath, ["-e", client, address, "1.5"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += chunk));
  const start = process.cpuUsage();
  await once(child, "close");
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / Number(printed);
}

/** The same in CPU time, which other processes do not affect. */
async function byProcessorTime(deliver: Body, rendering: Body): Promise<Row> {
  const ratios: { ours: number; peer: number }[] = [];
  for (let round = 0; round < 11; round++) {
    ratios.push({ ours: await processorNs(deliver, 500), peer: await processorNs(rendering, 3) });
  }
  return {
    what: "images: the same, by this process's own processor time",
    ours: median(ratios.map(({ ours }) => ours)),
    peer: median(ratios.map(({ peer }) => peer)),
    ratio: median(ratios.map(({ ours, peer }) => peer / ours)),
    target: { atLeast: 100 },
  };
}

async function processorNs(body: Body, calls: number): Promise<number> {
  const start = process.cpuUsage();
  for (let i = 0; i < calls; i++) await body();
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / calls;
}

/** Reports the peak memory of the process during the uploads, above its memory before. */
async function reportMemory(baseline: Buffer): Promise<void> {
  const progressive = await photograph(true);
  const edge = createEdge();
  await upload(edge, baseline);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, sampleMs);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: uploads }, (_, i) => upload(edge, i % 2 === 0 ? baseline : progressive)),
  );
  clearInterval(timer);
  const seconds = (performance.now() - start) / 1000;
  const sent = ((baseline.length + progressive.length) / 2) * uploads;
  console.error(
    `images: ${uploads} uploads of 12 megapixels at a time, half of them progressive: ${megabytes(sent)} MB sent, ` +
      `peak ${megabytes(peak - before)} MB above the ${megabytes(before)} MB before, ${seconds.toFixed(1)} s`,
  );
  await edge.close();
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
