/** An instance of a Terraform resource, the same for plans and every form of state. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";

/** One instance: `count` and `for_each` make several of a resource. */
export interface Instance {
  /** With the keys of modules and instances, such as `module.api["shop"].cloudflare_zone.main[0]`. */
  readonly address: string;
  readonly isData: boolean;
  readonly type: string;
  /** RFC 6901 pointer of `values` in the file. */
  readonly pointer: string;
  /** Why its values cannot be read, as a clause; absent for one that has values. */
  readonly unread?: string;
  /** Values that are unknown are `unknownValue`, sensitive ones `sensitiveValue`. */
  readonly values: JsonObject;
  /** The instance before a plan is applied; absent for a new one, and when it is deleted first. */
  readonly previous?: PreviousValues;
}

/** The values before a plan is applied. */
export interface PreviousValues {
  readonly values: JsonObject;
  /** Whether a new resource takes its place before it is deleted. */
  readonly isReplaced: boolean;
}

/** Why a deposed object has no values: it is deleted by the next apply, and what replaces it is not known. */
export const deposedReason = "it is a deposed object, which the next apply deletes";

/** An instance whose values cannot be read. */
export function unreadInstance(
  instance: Pick<Instance, "address" | "isData" | "type">,
  at: string,
  unread: string,
): Instance {
  return { ...instance, pointer: at, values: {}, unread };
}

/** Is in the place of a value that the file does not have. */
export const unknownValue = Symbol("unknown");

/** Is in the place of a value that the file marks as sensitive. */
export const sensitiveValue = Symbol("sensitive");

/**
 * The values with a mark at each place where the mask is true. A mask has the form of the values, and `true` in the place
 * of a value; unknown elements of a list are null in the values, unknown members are missing.
 */
export function maskValues(values: unknown, mask: unknown, mark: symbol): unknown {
  if (mask === true) return mark;
  if (Array.isArray(mask)) return maskElements(Array.isArray(values) ? values : [], mask, mark);
  if (!isJsonObject(mask)) return values;
  const known = isJsonObject(values) ? values : {};
  const masked = Object.entries(mask).flatMap(([name, inner]): [string, unknown][] => {
    const value = Object.hasOwn(known, name) ? known[name] : undefined;
    const result = maskValues(value, inner, mark);
    return result === undefined || isFiller(value, result) ? [] : [[name, result]];
  });
  if (values !== undefined && !isJsonObject(values)) return values;
  return Object.fromEntries([...Object.entries(known), ...masked]);
}

/** Masks have `{}` and `[]` for members that are not there. */
function isFiller(value: unknown, result: unknown): boolean {
  if (value !== undefined || typeof result === "symbol") return false;
  return Array.isArray(result)
    ? result.length === 0
    : isJsonObject(result) && Object.keys(result).length === 0;
}

function maskElements(
  values: readonly unknown[],
  mask: readonly unknown[],
  mark: symbol,
): readonly unknown[] {
  const length = Math.max(values.length, mask.length);
  return Array.from({ length }, (_, i) => maskValues(values[i], mask[i], mark) ?? null);
}

/** The attributes of an instance in the form of the interface, and where they are in the file. */
export interface ProviderAttributes {
  readonly values: JsonObject;
  /** Pointer into `values` to pointer into the attributes, where they differ. */
  readonly moved: ReadonlyMap<string, string>;
}
