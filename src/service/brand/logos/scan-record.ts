/** Reads the records of a feed of pictures: a picture, and facts about the page that showed it. */

import { createHash } from "node:crypto";
import { isJsonObject } from "../../../core/json-value.ts";
import { type Result, success } from "../../../core/result.ts";
import { normalizeHost } from "../../../engine/brand/names/host.ts";
import { quote } from "../../../errors.ts";
import { scannedPicture } from "../../../schemas/brand.ts";
import type { LogoScanRecord } from "../../../store/records/brand.ts";
import type { Compute } from "../../compute.ts";
import type { ServiceContext } from "../../context.ts";
import { canonicalDomain, readTime } from "../domains/feed-record.ts";
import { reject } from "../invalid-input.ts";
import { parseFeedRecord } from "../parse-feed-record.ts";
import { checkPicture, type Picture, type PictureLimits, readBase64, readPicture } from "./picture.ts";
import { createPictureSearch, type PictureSearch } from "./picture-search.ts";

/** A picture and facts about the page that showed it. Null members count as missing, unknown ones are ignored. */
export interface ScanRecord {
  /** A host name. */
  readonly domain?: string | null;
  /** An image file: its bytes, or base64 with or without a data URI. PNG, JPEG, WebP, GIF or AVIF. */
  readonly image: Uint8Array | string;
  /** Any string. */
  readonly registrar?: string | null;
  /** Any string; the same picture of the same domain and scan is stored once. */
  readonly url_scan_id?: string | null;
  /** RFC 3339; the current time by default. */
  readonly matched_at?: string | null;
}

type ScanFacts = Pick<LogoScanRecord, "domain" | "registrar" | "url_scan_id" | "matched_at">;

/** A valid picture of a feed, decoded and described. It depends on no account. */
export interface DescribedScan {
  readonly scan: Omit<LogoScanRecord, "scope" | "position" | "blob" | "searched_query">;
  readonly picture: Picture;
  /** The dense search in the picture; what was found is kept for further accounts. */
  readonly search: PictureSearch;
}

/** A scan whose picture is not decoded yet. */
export interface CheckedScan {
  readonly facts: ScanFacts;
  readonly bytes: Uint8Array;
}

/** Validates a record without decoding its picture. */
export function checkScan(
  { clock }: Pick<ServiceContext, "clock">,
  limits: PictureLimits,
  record: unknown,
): Result<CheckedScan> {
  if (!isJsonObject(record))
    return reject(`A record must be an object with \`image\`; found ${quote(record)}.`);
  const facts = readFacts(record, clock());
  if (!facts.ok) return facts;
  const image = readImage(record.image, limits.maxBytes);
  if (!image.ok) return image;
  const type = checkPicture(image.value, "scan", limits);
  return type.ok ? success({ facts: facts.value, bytes: image.value }) : type;
}

/** Decodes and describes the picture of a record. */
export async function describeScan(
  compute: Compute,
  checked: CheckedScan,
  limits: PictureLimits,
  signal?: AbortSignal,
): Promise<Result<DescribedScan>> {
  const picture = await readPicture(compute, checked.bytes, "scan", limits, signal);
  if (!picture.ok) return picture;
  const { contentType, raster } = picture.value;
  const scan = { id: scanId(checked), ...checked.facts, content_type: contentType };
  return success({ scan, picture: picture.value, search: createPictureSearch(compute, raster) });
}

/** The id of a scan: a hash of its domain, its scan id and its bytes. The same ones are stored once. */
export function scanId({ facts, bytes }: CheckedScan): string {
  const name = JSON.stringify([facts.domain, facts.url_scan_id]);
  return createHash("sha256").update(name).update(bytes).digest("hex");
}

function readFacts(record: Readonly<Record<string, unknown>>, nowMs: number): Result<ScanFacts> {
  const parsed = parseFeedRecord(scannedPicture, record);
  if (!parsed.ok) return parsed;
  const { domain, registrar, url_scan_id, matched_at } = parsed.value;
  const host = domain ? normalizeHost(domain) : undefined;
  if (host?.ok === false) return reject(host.problems[0].message);
  const time = readTime("matched_at", matched_at || undefined);
  if (!time.ok) return time;
  return success({
    domain: domain ? canonicalDomain(domain) : "",
    registrar: registrar ?? "",
    url_scan_id: url_scan_id ?? "",
    matched_at: time.value ?? nowMs,
  });
}

function readImage(image: unknown, maxBytes: number): Result<Uint8Array> {
  if (image instanceof Uint8Array) return success(image);
  if (typeof image === "string") return readBase64(image, maxBytes);
  return reject(`\`image\` must be bytes or a base64 string; found ${quote(image)}.`);
}
