/** Time to describe logos and to search for them. */

import sharp from "sharp";
import { compileAssembly } from "../../scripts/wasm/modules.ts";
import { type WasmMemory, wasm } from "../../src/core/wasm-runtime.ts";
import { describeLogo } from "../../src/engine/logo/describe.ts";
import { type LogoDescriptor, type LogoRole, writeLogoDescriptor } from "../../src/engine/logo/descriptor.ts";
import { createHashTable, hashesAt, wasmScan } from "../../src/engine/logo/index/hamming.ts";
import type { LogoId } from "../../src/engine/logo/index/prefilter-table.ts";
import { createLogoIndex, type LogoIndex } from "../../src/engine/logo/index/search-index.ts";
import { maxPrefilterDistance } from "../../src/engine/logo/tuning.ts";
import { measure, median, type Row, type Rows, timeOf } from "../harness.ts";
import { simpleIcons } from "../peers/logos.ts";

/** Target time to describe a picture. */
const describeTargetNs = 10e6;
const hashCount = 1_000_000;
const pictureCount = 100_000;
/** Pictures of the memory row with a full descriptor; the others have only prefilter hashes. */
const describedCount = 20_000;

/** Rows of the table. */
export async function* benchLogos(): Rows {
  for (const row of [prefilterScan, describing, searching, memoryUse]) yield row();
}

/**
 * A file to a descriptor with decoding, one after the other: the time on one thread. Other processes lengthen the
 * wall-clock time, compilation and garbage collection on other threads the processor time; the smaller is used.
 */
async function describing(): Promise<Row> {
  const files = await Promise.all(icons(24).map((svg) => picture(svg, 512)));
  const times: number[] = [];
  const warmUp = 8 * files.length;
  for (let i = 0; i < warmUp + 10 * files.length; i++) {
    const clock = performance.now();
    const start = process.cpuUsage();
    await describeLogo(files[i % files.length]!);
    const { user, system } = process.cpuUsage(start);
    if (i >= warmUp) times.push(Math.min((user + system) * 1000, (performance.now() - clock) * 1e6));
  }
  const ours = median(times);
  const what = "describe a 512 x 512 picture, PNG to descriptor (peer: 10 ms)";
  return { what, ours, peer: describeTargetNs, ratio: ours / describeTargetNs, target: { atMost: 1 } };
}

/** One query over a million hashes, compared with reading the same memory once (unwritten pages would cost nothing). */
async function prefilterScan(): Promise<Row> {
  let memory: WasmMemory | undefined;
  const table = createHashTable((own) => {
    memory = own;
    return wasmScan(own);
  });
  const bytes = randomBytes(hashCount * 32);
  for (let row = 0; row < hashCount; row++) table.append(bytes.subarray(row * 32, row * 32 + 32));
  const module = new wasm.Module(await compileAssembly("assembly/pass.ts"));
  const { pass } = new wasm.Instance(module, { env: { memory: memory! } }).exports as {
    readonly pass: (from: number, count: number) => bigint;
  };
  const query = bytes.slice(0, 32);
  const found = { rows: 0 };
  return measure(
    {
      what: "prefilter scan of 1,000,000 hashes, ns a hash (peer: one pass over the memory)",
      ours: () =>
        table.scan([query], maxPrefilterDistance, () => {
          found.rows++;
        }),
      peer: () => pass(hashesAt, hashCount),
      oursOps: hashCount,
      peerOps: hashCount,
      target: { atMost: 1.6 },
    },
    { warmUpMs: 500 },
  );
}

/** A search for a logo in 100,000 pictures, whose hashes are those of real pictures with some bits flipped. */
async function searching(): Promise<Row> {
  const samples = await samplePictures();
  const bytesOf = (id: LogoId) => samples[Number(id) % samples.length]!.bytes;
  const index = createLogoIndex({ load: (ids) => ids.map(bytesOf) });
  for (let n = 0; n < pictureCount; n++) index.add(n, perturbed(samples[n % samples.length]!, n));
  const ours = await timeOf(await searchOf(index), { budgetMs: 1, warmUpMs: 1 });
  return reported(`search ${pictureCount} pictures end to end`, ours);
}

/** Memory for 1,000,000 prefilter hashes, with 20,000 full descriptors behind the loader. */
async function memoryUse(): Promise<Row> {
  const samples = await samplePictures();
  const stored = new Map<LogoId, Uint8Array>();
  const index = createLogoIndex({ load: (ids) => ids.map((id) => stored.get(id)) });
  const before = memoryInUse();
  let count = 0;
  for (let hashes = 0; hashes < hashCount; count++) {
    const made = perturbed(samples[count % samples.length]!, count);
    index.add(count, made);
    hashes += made.views.length;
  }
  const kept = Math.max(memoryInUse() - before, index.bytes) / count;
  let full = 0;
  for (let n = 0; n < describedCount; n++) {
    const { bytes } = perturbed(samples[n % samples.length]!, n);
    stored.set(n, bytes);
    full += bytes.length / describedCount;
  }
  const ours = await timeOf(await searchOf(index), { budgetMs: 1, warmUpMs: 1 });
  const views = (hashCount / count).toFixed(1);
  const each = `${views} views, ${(index.bytes / count).toFixed(0)} bytes each, ${kept.toFixed(0)} with ids`;
  return reported(
    `search ${count} pictures (${each}); ${describedCount} full descriptors of ${full.toFixed(0)} bytes`,
    ours,
  );
}

function reported(what: string, ours: number): Row {
  return { what, ours, peer: ours, ratio: 1, target: "report" };
}

function memoryInUse(): number {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function samplePictures(): Promise<LogoDescriptor[]> {
  return Promise.all(icons(48).map(async (svg) => descriptorOf(await picture(svg, 128), "scan")));
}

async function searchOf(index: LogoIndex): Promise<() => Promise<unknown>> {
  const query = await descriptorOf(await picture(icons(49)[48]!, 256), "query");
  return () => index.search(query, { threshold: 0.85, limit: 50 });
}

/** The same picture with other prefilter hashes: 30 bits of each flipped. */
function perturbed(sample: LogoDescriptor, n: number): LogoDescriptor {
  const views = sample.views.map((view, v) => {
    const prefilterHash = view.prefilterHash.slice();
    for (let i = 0; i < 30; i++) prefilterHash[(n * 7 + v * 11 + i * 13) % 32]! ^= 1 << ((n + i * 5) % 8);
    return { ...view, prefilterHash };
  });
  return writeLogoDescriptor({ ...sample, views });
}

function icons(count: number): readonly string[] {
  const all = Object.values(simpleIcons) as readonly { path: string; hex: string }[];
  return Array.from({ length: count }, (_, i) => {
    const { path, hex } = all[(i * 61 + 17) % all.length]!;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="-3 -3 30 30"><path fill="#${hex}" d="${path}"/></svg>`;
  });
}

function picture(svg: string, side: number): Promise<Buffer> {
  return sharp(Buffer.from(svg)).resize(side, side).flatten({ background: "#ffffff" }).png().toBuffer();
}

async function descriptorOf(file: Buffer, role: LogoRole): Promise<LogoDescriptor> {
  const outcome = await describeLogo(file, { role });
  if (!outcome.ok) throw new Error(outcome.problems[0].message);
  return outcome.value;
}

/** Pseudorandom bytes, always the same (xorshift32). */
function randomBytes(length: number): Uint8Array {
  const words = new Uint32Array(length / 4);
  let state = 2_463_534_242;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = state;
  }
  return new Uint8Array(words.buffer);
}
