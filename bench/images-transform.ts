/**
 * Transformations by address over HTTP, each for the first time, against ipx behind its own server: the same picture, size,
 * format and quality, in one process, by its processor time in alternating rounds.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEdge } from "edgeproof";
import { serveOnNode } from "edgeproof/http";
import sharp from "sharp";
import { median, type Row, type Rows } from "./harness.ts";
import { createIPX, createIPXNodeServer } from "./peers/images.ts";

const rounds = 15;
const requests = 6;

/** A photograph of 3 megapixels with grain. */
function photograph(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 6 } as const;
  const create = { width: 2000, height: 1500, channels: 3, background: { r: 0, g: 0, b: 0 }, noise } as const;
  return sharp({ create }).jpeg({ quality: 80 }).toBuffer();
}

export async function* benchImagesTransform(): Rows {
  const photo = await photograph();
  const settings = { transformations: "on" } as const;
  const edge = createEdge({
    world: { zones: [{ id: "z1", name: "shop.example", settings }] },
    zoneHosts: { "127.0.0.1": "shop.example" },
    imageSource: () => new Response(photo as Uint8Array<ArrayBuffer>, { headers: { etag: `"photo"` } }),
  });
  const server = await serveOnNode(edge.fetch, { port: 0 });
  const storage = { name: "memory", getMeta: () => ({}), getData: () => new Uint8Array(photo).buffer };
  const peer = createServer(createIPXNodeServer(createIPX({ storage })));
  await new Promise<void>((resolve) => peer.listen(0, "127.0.0.1", resolve));
  const peerUrl = `http://127.0.0.1:${(peer.address() as AddressInfo).port}`;
  try {
    for (const format of ["webp", "jpeg"] as const) {
      const quality = 80;
      const list = `width=400,height=300,fit=cover,quality=${quality},format=${format}`;
      const modifiers = `s_400x300,fit_cover,q_${quality},f_${format}`;
      yield await compare(
        `images: /cdn-cgi/image of a 3-megapixel JPEG as ${format}, first time / ipx over HTTP, by processor time`,
        (n) => `${server.url}/cdn-cgi/image/${list}/photo-${n}.jpg`,
        (n) => `${peerUrl}/${modifiers}/photo-${n}.jpg`,
      );
    }
  } finally {
    await server.close();
    peer.close();
    await edge.close();
  }
}

let count = 0;

async function compare(
  what: string,
  ours: (n: number) => string,
  theirs: (n: number) => string,
): Promise<Row> {
  await assertSame(ours(0), theirs(0));
  const times: { ours: number; peer: number }[] = [];
  for (let round = 0; round < rounds; round++)
    times.push({ ours: await processorNs(ours), peer: await processorNs(theirs) });
  return {
    what,
    ours: median(times.map((time) => time.ours)),
    peer: median(times.map((time) => time.peer)),
    ratio: median(times.map((time) => time.peer / time.ours)),
    target: { atLeast: 1 },
  };
}

/** The outputs have the same size and format. */
async function assertSame(...urls: readonly string[]): Promise<void> {
  const found = [];
  for (const url of urls) {
    const { width, height, format } = await sharp(await get(url)).metadata();
    found.push(`${width}x${height} ${format}`);
  }
  if (new Set(found).size > 1) throw new Error(`the outputs differ: ${found.join(", ")}`);
}

async function get(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.arrayBuffer();
}

async function processorNs(address: (n: number) => string): Promise<number> {
  const start = process.cpuUsage();
  for (let i = 0; i < requests; i++) await get(address(++count));
  const { user, system } = process.cpuUsage(start);
  return ((user + system) * 1000) / requests;
}
