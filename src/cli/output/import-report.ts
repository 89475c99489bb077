/** Prints the report of an import. */
import { counted } from "../../errors.ts";
import type { ResourceKind } from "../../import/reading.ts";
import type { ImportReport, SourceLocation, Undecided } from "../../import/world/report.ts";

const nouns: Readonly<Record<ResourceKind, readonly [one: string, many: string]>> = {
  zone: ["zone", "zones"],
  token_config: ["token configuration", "token configurations"],
  token_rule: ["token rule", "token rules"],
  operation: ["operation", "operations"],
  image_variant: ["image variant", "image variants"],
  image_key: ["signing key", "signing keys"],
  domain_query: ["domain query", "domain queries"],
  proxy_application: ["proxy application", "proxy applications"],
  dns_record: ["DNS record", "DNS records"],
};

/** One line for each file, and for each part that is not in the world as it is in the file. */
export function printImportReport({ formats, accepted, dropped, derived, undecided }: ImportReport): string {
  const lines = [
    ...formats.map(({ file, format }) => `accepted from ${file} (${format}): ${countKinds(file, accepted)}`),
    ...dropped.map(({ location, reason }) => `${printPlace(location)}: dropped: ${reason}`),
    ...derived.map(({ location, reason }) => `${printPlace(location)}: derived: ${reason}`),
    ...undecided.map(printUndecided),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function countKinds(file: string, accepted: ImportReport["accepted"]): string {
  const counts = new Map<ResourceKind, number>();
  for (const { kind, location } of accepted)
    if (location.file === file) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].map(([kind, count]) => counted(count, ...nouns[kind]));
  return parts.join(", ") || "nothing";
}

/** The line and column, and the address of a Terraform resource or the pointer. */
export function printPlace({ file, line, column, pointer, address }: SourceLocation): string {
  return `${file}:${line}:${column}: ${address ?? (pointer || "/")}`;
}

/** What is undecided, and what to do about it. */
export function printUndecided({ location, message, run }: Undecided): string {
  return `${printPlace(location)}: undecided: ${message}\n  run: ${run}`;
}
