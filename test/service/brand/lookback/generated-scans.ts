/** Generated pictures for lookbacks: records with positions whose blobs are descriptors of one view each, and no pictures. */
import { createHash } from "node:crypto";
import { describeLogo } from "../../../../src/engine/logo/describe.ts";
import { type LogoDescriptor, writeLogoDescriptor } from "../../../../src/engine/logo/descriptor.ts";
import { hashWords } from "../../../../src/engine/logo/features/prefilter-hash.ts";
import type { Store } from "../../../../src/store/port.ts";
import { descriptorKey, type LogoScanRecord } from "../../../../src/store/records/brand.ts";
import { randomBytes } from "../../../engine/logo/random.ts";

/** Records that are inserted in one transaction. */
const batchSize = 1_000;

/**
 * Descriptors of one view. The view is that of a picture, of which some are in the sample: every `every`th has a few other
 * bits in the hash, so that it is found; the others have a random hash.
 */
export function generatedDescriptors(sample: LogoDescriptor, count: number, every: number): Uint8Array[] {
  const [view] = sample.views;
  return Array.from({ length: count }, (_, i) => {
    const noise = randomBytes(i + 1, 32);
    const hash =
      i % every === 0 ? view!.prefilterHash.map((byte, b) => byte ^ (b < 2 ? noise[b]! : 0)) : noise;
    const digest = createHash("sha256").update(String(i)).digest();
    const views = [{ ...view!, prefilterHash: hash, prefilterWords: hashWords(hash) }];
    return writeLogoDescriptor({ ...sample, digest, thumbnail: randomBytes(i + 1, 768), views }).bytes;
  });
}

/** The descriptor of a picture as a scan. */
export async function describedScan(picture: Uint8Array): Promise<LogoDescriptor> {
  const described = await describeLogo(picture, { role: "scan" });
  if (!described.ok) throw new Error(described.problems[0].message);
  return described.value;
}

/** The name of the blob of a generated picture: several pictures have the same descriptor. */
export function blobOf(position: number, descriptors: number): string {
  return `generated/${position % descriptors}`;
}

/** Stores pictures with positions from 1. */
export async function storeScans(
  store: Store,
  scope: string,
  descriptors: readonly Uint8Array[],
  count: number,
): Promise<void> {
  for (const [i, bytes] of descriptors.entries())
    await store.blobs.put(descriptorKey(blobOf(i, descriptors.length), "scan"), bytes);
  for (let from = 1; from <= count; from += batchSize) {
    const size = Math.min(batchSize, count - from + 1);
    await store.write(async (tx) => {
      const first = await tx.sequence(scope, "brand_logo_scans", size);
      const records = Array.from({ length: size }, (_, i) => scanOf(scope, first + i, descriptors.length));
      await tx.insertMissing("brand_logo_scans", records);
    });
  }
}

function scanOf(scope: string, position: number, descriptors: number): LogoScanRecord {
  const id = createHash("sha256").update(String(position)).digest("hex");
  const blob = blobOf(position, descriptors);
  const facts = { domain: `d${position}.example`, registrar: "", url_scan_id: "", matched_at: 0 };
  return { scope, id, position, blob, content_type: "image/png", ...facts };
}
