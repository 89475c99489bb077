/** The places in files that the values of a world were read from. */
import type { Location } from "../core/diagnostic.ts";
import type { PlacedSource } from "../core/place.ts";

/** Where a value was read. */
export interface Origin {
  readonly file: PlacedSource;
  /** RFC 6901 pointer into the file. */
  readonly pointer: string;
  /** Address of the Terraform resource, such as `module.api["shop"].cloudflare_zone.main`. */
  readonly address?: string;
  /** Pointer of the attributes of that resource in the file. */
  readonly base?: string;
  /** The name for people of the part of the resource at a pointer into its attributes. */
  readonly partOf?: PartOf;
}

/** Names the part of a resource, such as one of its rules; undefined for the resource itself. */
export type PartOf = (member: string) => string | undefined;

/** The place of an origin, with the address of a Terraform resource instead of the pointer. */
export function locationOf({ file, pointer, address, base, partOf }: Origin): Location {
  const place = file.place(pointer);
  if (address === undefined) return { ...place, pointer };
  const member = base !== undefined && pointer.startsWith(base) ? pointer.slice(base.length) : "";
  const part = partOf?.(member);
  return { ...place, pointer: address, ...(part !== undefined && { part }), ...(member && { member }) };
}

/** The first character of a file. */
export function startOf(file: string): Location {
  return { file, start: { line: 1, column: 1 } };
}
