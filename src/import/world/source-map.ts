/** Maps pointers into the world to the places that the values were read from. */
import type { Location } from "../../core/diagnostic.ts";
import { locationOf, type Origin } from "../origin.ts";

/** Finds the places of values of a world. */
export interface SourceMap {
  /**
   * The place of the value at an RFC 6901 pointer into the world, or of the innermost value around it that has one;
   * undefined for values that no file contains.
   */
  locate(pointer: string): Location | undefined;
}

/** A resource in the world, with its origin. */
export interface MappedResource {
  /** RFC 6901 pointer into the world. */
  readonly at: string;
  readonly origin: Origin;
  /** Pointer into the resource in the world to pointer into the resource in the file, where they differ. */
  readonly members?: ReadonlyMap<string, string>;
}

/** @param resources with unique pointers */
export function createSourceMap(resources: readonly MappedResource[]): SourceMap {
  const byPointer = new Map(resources.map((resource) => [resource.at, resource]));
  return {
    locate: (pointer) => {
      for (let at = pointer; at !== ""; at = parentOf(at)) {
        const resource = byPointer.get(at);
        if (resource) return locationOf(originOf(resource, pointer.slice(at.length)));
      }
      return undefined;
    },
  };
}

function originOf({ origin, members }: MappedResource, within: string): Origin {
  return { ...origin, pointer: origin.pointer + translate(within, members) };
}

/** The pointer into the resource in the file; the longest known prefix decides. */
function translate(within: string, members: ReadonlyMap<string, string> = new Map()): string {
  for (let at = within; at !== ""; at = parentOf(at)) {
    const source = members.get(at);
    if (source !== undefined) return source + within.slice(at.length);
  }
  return within;
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}
