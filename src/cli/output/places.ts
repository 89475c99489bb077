/** Prints places in files, and the problems of files for usage errors. */
import type { Location } from "../../core/diagnostic.ts";
import { standardInput } from "../standard-input.ts";

/** Whether a place is in a file: the address of a command line and an input without a value are in none. */
export function isInFile({ file, pointer }: Location): boolean {
  return file !== standardInput || pointer !== undefined;
}

/** The file, line and column, and the pointer or the address of a Terraform resource. */
export function printPlace(at: Location): string {
  const { file, start, pointer } = at;
  return `${file}:${start.line}:${start.column}${pointer === undefined ? "" : `: ${printPointer(at)}`}`;
}

/** The pointer, or the address of a Terraform resource with the part of it. */
export function printPointer({ pointer = "", part }: Pick<Location, "pointer" | "part">): string {
  return [pointer || "/", ...(part === undefined ? [] : [part])].join(", ");
}

/** The address of a Terraform resource with the part of it; undefined for places in other files. */
export function printResource(at: Location): string | undefined {
  const { pointer = "" } = at;
  return pointer === "" || pointer.startsWith("/") ? undefined : printPointer(at);
}

/** A fault of a file or of a value in it, on one line. */
export function printFault({ at, message }: { readonly at: Location; readonly message: string }): string {
  return `${printPlace(at)}: ${message}`;
}

/** The lines of a usage error, each with its place. */
export function printFaults(faults: readonly Parameters<typeof printFault>[0][]): string {
  return faults.map((fault) => `  ${printFault(fault)}`).join("\n");
}
