/** What a feed gives: names, alone or with what is known of them. Everything is checked, nothing is fatal. */
import { domainToASCII } from "node:url";
import { quote } from "../../../errors.ts";
import type { DomainFacts, ScanStatus } from "../../../store/records/brand.ts";
import { parseTimestamp } from "../../time.ts";

/** A name and what is known of it. Members that are null count as absent, unknown ones are ignored. */
export interface DomainRecord {
  readonly domain: string;
  /** RFC 3339. Absent: the moment in which it is observed. */
  readonly first_seen?: string | null;
  readonly registrar?: string | null;
  /** Free text: which feed it came from. */
  readonly source?: string | null;
  readonly public_scans?: { readonly submission_id: string } | null;
  readonly scan_status?: ScanStatus | null;
  readonly scan_submission_id?: number | null;
}

/** A record that was read. */
export interface Seen {
  /** The name as it came. */
  readonly domain: string;
  readonly firstSeenMs: number | undefined;
  readonly facts: DomainFacts;
}

/** Values of `scan_status` (`chosen`). */
const scanStatuses: readonly unknown[] = ["none", "pending", "finished"] satisfies ScanStatus[];

interface FactForm {
  readonly holds: (value: unknown) => boolean;
  readonly form: string;
}

const text: FactForm = { holds: (value) => typeof value === "string", form: "a text" };

const factForms: { readonly [K in keyof Required<DomainFacts>]: FactForm } = {
  registrar: text,
  source: text,
  public_scans: {
    holds: (value) =>
      typeof value === "object" &&
      value !== null &&
      "submission_id" in value &&
      text.holds(value.submission_id),
    form: "an object with the text `submission_id`",
  },
  scan_status: { holds: (value) => scanStatuses.includes(value), form: "`none`, `pending` or `finished`" },
  scan_submission_id: { holds: Number.isSafeInteger, form: "an integer" },
};

const factNames = Object.keys(factForms) as (keyof DomainFacts)[];

/** Reads one element of a feed; a text says what is wrong with it. Whether the name is one is for the matcher to say. */
export function readSeen(item: unknown): Seen | string {
  if (typeof item === "string") return { domain: item, firstSeenMs: undefined, facts: {} };
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    return `A feed gives names or objects with a \`domain\`, found ${quote(item)}.`;
  }
  const given = item as Readonly<Record<string, unknown>>;
  const { domain, first_seen: firstSeen } = given;
  if (typeof domain !== "string") return `\`domain\` must be a text, found ${quote(domain)}.`;
  const firstSeenMs = typeof firstSeen === "string" ? parseTimestamp(firstSeen) : undefined;
  if ((firstSeen ?? undefined) !== undefined && firstSeenMs === undefined) {
    return `\`first_seen\` must be an RFC 3339 time, found ${quote(firstSeen)}.`;
  }
  const facts = readFacts(given);
  return typeof facts === "string" ? facts : { domain, firstSeenMs, facts };
}

function readFacts(given: Readonly<Record<string, unknown>>): DomainFacts | string {
  const facts: Record<string, unknown> = {};
  for (const name of factNames) {
    const value = given[name] ?? undefined;
    if (value === undefined) continue;
    const { holds, form } = factForms[name];
    if (!holds(value)) return `\`${name}\` must be ${form}, found ${quote(value)}.`;
    facts[name] =
      name === "public_scans" ? { submission_id: (value as { submission_id: string }).submission_id } : value;
  }
  return facts as DomainFacts;
}

const plainName = /^[a-z0-9._*-]+$/;

/**
 * The form in which a name is kept and told: lower case, A-labels, no trailing dot. Two spellings of one name are
 * one name.
 *
 * @example canonicalDomain("Müller.Example.") // "xn--mller-kva.example"
 */
export function canonicalDomain(name: string): string {
  const lower = name.trim().toLowerCase();
  const ascii = plainName.test(lower) ? lower : domainToASCII(lower) || lower;
  return ascii.endsWith(".") ? ascii.slice(0, -1) : ascii;
}

/** Whether a name's canonical form is the name itself, but for letter case, blanks around it and a trailing dot. */
export function isPlainName(canonical: string, given: string): boolean {
  return canonical === given || plainName.test(given.trim().toLowerCase());
}
