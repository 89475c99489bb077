/** Prints places in files, and the problems of files for usage errors. */
import type { Location } from "../../core/diagnostic.ts";

/** The file, line and column, and the pointer or the address of a Terraform resource. */
export function printPlace({ file, start: { line, column }, pointer }: Location): string {
  return `${file}:${line}:${column}${pointer === undefined ? "" : `: ${pointer || "/"}`}`;
}

/** A fault of a file or of a value in it, on one line. */
export function printFault({ at, message }: { readonly at: Location; readonly message: string }): string {
  return `${printPlace(at)}: ${message}`;
}

/** The lines of a usage error, each with its place. */
export function printFaults(faults: readonly Parameters<typeof printFault>[0][]): string {
  return faults.map((fault) => `  ${printFault(fault)}`).join("\n");
}
