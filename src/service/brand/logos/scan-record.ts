/** What a feed of pictures gives: a picture, and what is known of the page it was on. Everything is checked. */
import { createHash } from "node:crypto";
import { normalizeHost } from "../../../engine/brand/names/host.ts";
import { quote } from "../../../errors.ts";
import type { LogoScanRecord } from "../../../store/records/brand.ts";
import type { ServiceContext } from "../../context.ts";
import { parseTimestamp } from "../../time.ts";
import { canonicalDomain } from "../domains/feed-record.ts";
import { checkPicture, type Picture, type Read, readBase64, readPicture } from "./picture.ts";

/** A picture of a page, and what is known of it. Members that are null count as absent. */
export interface ScanRecord {
  readonly domain?: string | null;
  /** An image file: its bytes, or base64 with or without a data URI. PNG, JPEG, WebP, GIF or AVIF. */
  readonly image: Uint8Array | string;
  readonly registrar?: string | null;
  readonly url_scan_id?: string | null;
  /** RFC 3339. Absent: the moment in which it is observed. */
  readonly matched_at?: string | null;
}

type ScanFacts = Pick<LogoScanRecord, "domain" | "registrar" | "url_scan_id" | "matched_at">;

/** A scan that was read: its record but for where it is kept, and its picture. */
export interface DescribedScan {
  readonly scan: Omit<LogoScanRecord, "position" | "blob">;
  readonly picture: Picture;
}

/** A scan whose picture is not decoded yet. */
export interface CheckedScan {
  readonly facts: ScanFacts;
  readonly bytes: Uint8Array;
}

/** What can be said of an element of a feed without decoding its picture. */
export function checkScan({ clock, limits }: ServiceContext, item: unknown): Read<CheckedScan> {
  const facts = readFacts(item, clock());
  if ("fault" in facts) return facts;
  const image = imageOf((item as ScanRecord).image, limits.logoBytes);
  if ("fault" in image) return image;
  const type = checkPicture(image.value, "scan", limits);
  return "fault" in type ? type : { value: { facts: facts.value, bytes: image.value } };
}

/** Reads one element of a feed. The same picture of the same domain and scan has the same id. */
export async function readScan(
  context: ServiceContext,
  account: string,
  item: unknown,
): Promise<Read<DescribedScan>> {
  const checked = checkScan(context, item);
  if ("fault" in checked) return checked;
  const { facts, bytes } = checked.value;
  const picture = await readPicture(bytes, "scan", context.limits);
  if ("fault" in picture) return picture;
  const name = JSON.stringify([facts.domain, facts.url_scan_id]);
  const id = createHash("sha256").update(name).update(bytes).digest("hex");
  const scan = { scope: account, id, ...facts, content_type: picture.value.contentType };
  return { value: { scan, picture: picture.value } };
}

const textMembers = ["domain", "registrar", "url_scan_id", "matched_at"] as const;

function readFacts(item: unknown, nowMs: number): Read<ScanFacts> {
  if (typeof item !== "object" || item === null) {
    return { fault: `A feed of pictures gives objects with an \`image\`, found ${quote(item)}.` };
  }
  const given = item as Readonly<Record<string, unknown>>;
  for (const name of textMembers) {
    const value = given[name] ?? "";
    if (typeof value !== "string") return { fault: `\`${name}\` must be a text, found ${quote(value)}.` };
  }
  const { domain, registrar, url_scan_id, matched_at: time } = given as Omit<ScanRecord, "image">;
  const host = domain ? normalizeHost(domain) : undefined;
  if (host?.ok === false) return { fault: host.problems[0].message };
  const matched_at = time ? parseTimestamp(time) : nowMs;
  if (matched_at === undefined) {
    return { fault: `\`matched_at\` must be an RFC 3339 time, found ${quote(time)}.` };
  }
  const canonical = domain ? canonicalDomain(domain) : "";
  return {
    value: { domain: canonical, registrar: registrar ?? "", url_scan_id: url_scan_id ?? "", matched_at },
  };
}

function imageOf(image: unknown, maxBytes: number): Read<Uint8Array> {
  if (image instanceof Uint8Array) return { value: image };
  if (typeof image === "string") return readBase64(image, maxBytes);
  return { fault: `\`image\` must be bytes or a base64 text, found ${quote(image)}.` };
}
