/** Reads the records of a feed of names: names alone, or with facts. */
import { domainToAscii } from "../../../core/idna/host.ts";
import { isJsonObject } from "../../../core/json-value.ts";
import { failure, type Result, success } from "../../../core/result.ts";
import { problem, quote } from "../../../errors.ts";
import { observedDomain } from "../../../schemas/brand.ts";
import type { DomainFacts, ScanStatus } from "../../../store/records/brand.ts";
import { genericCodes } from "../../context.ts";
import { parseTimestamp } from "../../time.ts";
import { parseFeedRecord } from "../parse-feed-record.ts";

/** A name and facts about it. Null members count as missing, unknown ones are ignored. */
export interface DomainRecord {
  /** A host name; several spellings of one name are one name. */
  readonly domain: string;
  /** RFC 3339; the current time by default. */
  readonly first_seen?: string | null;
  /** Any string. */
  readonly registrar?: string | null;
  /** Name of the feed; any string. */
  readonly source?: string | null;
  /** The public scan of the domain. */
  readonly public_scans?: {
    /** Any string. */
    readonly submission_id: string;
  } | null;
  /** State of the scan. */
  readonly scan_status?: ScanStatus | null;
  /** A safe integer. */
  readonly scan_submission_id?: number | null;
}

/** A valid record. Its name is not validated yet. */
export interface FeedRecord {
  /** The name as given. */
  readonly domain: string;
  readonly firstSeenMs: number | undefined;
  readonly facts: DomainFacts;
}

/** Reads one record. The matcher validates the name. */
export function readFeedRecord(record: unknown): Result<FeedRecord> {
  if (typeof record === "string") return success({ domain: record, firstSeenMs: undefined, facts: {} });
  if (!isJsonObject(record)) {
    const found = `found ${quote(record)}`;
    return failure(
      problem(genericCodes.brand.invalid, `A record must be a name or an object with \`domain\`; ${found}.`),
    );
  }
  const parsed = parseFeedRecord(observedDomain, record);
  if (!parsed.ok) return parsed;
  const { domain, first_seen: firstSeen } = parsed.value;
  const time = readTime("first_seen", firstSeen);
  return time.ok ? success({ domain, firstSeenMs: time.value, facts: withoutNulls(parsed.value) }) : time;
}

/** The time of a member in milliseconds since 1970; undefined when it is missing. */
export function readTime(name: string, time: string | null | undefined): Result<number | undefined> {
  const ms = parseTimestamp(time ?? "");
  if (ms !== undefined || typeof time !== "string") return success(ms);
  return failure(
    problem(genericCodes.brand.invalid, `\`${name}\` must be an RFC 3339 time; found ${quote(time)}.`),
  );
}

type Nullish<T> = { readonly [K in keyof T]: T[K] | null | undefined };

/** Assigned member by member: five conditional spreads take ten times as long as parsing the record. */
function withoutNulls(given: Nullish<DomainFacts>): DomainFacts {
  const { registrar, source, public_scans, scan_status, scan_submission_id } = given;
  const facts: { -readonly [K in keyof DomainFacts]: DomainFacts[K] } = {};
  if (registrar != null) facts.registrar = registrar;
  if (source != null) facts.source = source;
  if (public_scans != null) facts.public_scans = public_scans;
  if (scan_status != null) facts.scan_status = scan_status;
  if (scan_submission_id != null) facts.scan_submission_id = scan_submission_id;
  return facts;
}

const plainName = /^[a-z0-9._*-]+$/;

/**
 * The form in which a name is stored and listed: lower case, A-labels, no trailing dot.
 *
 * @example canonicalDomain("Müller.Example.") // "xn--mller-kva.example"
 */
export function canonicalDomain(name: string): string {
  const lower = name.trim().toLowerCase();
  const ascii = plainName.test(lower) ? lower : domainToAscii(lower) || lower;
  return ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
}

/** Whether a name and its canonical form differ at most in letter case, blanks around it and a trailing dot. */
export function isPlainName(canonical: string, given: string): boolean {
  return canonical === given || plainName.test(given.trim().toLowerCase());
}
