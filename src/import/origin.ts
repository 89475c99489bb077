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
}

/** The place of an origin, with the address of a Terraform resource instead of the pointer. */
export function locationOf({ file, pointer, address = pointer }: Origin): Location {
  return { ...file.place(pointer), pointer: address };
}

/** The first character of a file. */
export function startOf(file: string): Location {
  return { file, start: { line: 1, column: 1 } };
}
