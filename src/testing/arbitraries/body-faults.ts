/** Request bodies with one fault (a member with another value, or without it), and bodies that change a record. */
import type { Arbitrary } from "fast-check";
import { isJsonObject } from "../../core/json-value.ts";
import type { FastCheck } from "./fast-check.ts";

/** A body that the service rejects. */
export interface InvalidBody {
  /** The body, to be sent as JSON. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The error code of the response. */
  readonly code: number;
  /** RFC 6901 pointer of its only problem. */
  readonly pointer: string;
}

/** Another value for a member; `undefined` removes it. The problem is at the member, or at `at`. */
export interface MemberFault {
  readonly member: string;
  readonly value: unknown;
  readonly at?: string;
}

/** Adds a fault to a body. */
export function addFault(
  body: object,
  { member, value, at = member }: MemberFault,
  code: number,
): InvalidBody {
  const { [member]: _, ...rest } = isJsonObject(body) ? body : {};
  return { body: value === undefined ? rest : { ...rest, [member]: value }, code, pointer: `/${at}` };
}

/** Bodies with some of the members, all or none. */
export function patchOf<T extends object, M extends keyof T & string>(
  fc: FastCheck,
  bodies: Arbitrary<T>,
  members: readonly M[],
): Arbitrary<Partial<Pick<T, M>>> {
  return fc.tuple(bodies, fc.subarray([...members])).map(([body, kept]) => {
    const patch: Partial<Pick<T, M>> = {};
    for (const member of kept) if (Object.hasOwn(body, member)) patch[member] = body[member];
    return patch;
  });
}

/** The faults that a patch of these members can have: no member is required. */
export function patchFaults(faults: readonly MemberFault[], members: readonly string[]): MemberFault[] {
  return faults.filter(({ member, value }) => value !== undefined && members.includes(member));
}
