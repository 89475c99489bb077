/** Bodies of requests with one fault (a member that has another value, or is missing), and bodies that change what is there. */
import type { Arbitrary } from "fast-check";
import type { FastCheck } from "./fast-check.ts";

/** A body that the service refuses, and how. */
export interface InvalidBody {
  readonly body: Readonly<Record<string, unknown>>;
  /** The code of the refusal. */
  readonly code: number;
  /** Where its only problem is (RFC 6901). */
  readonly pointer: string;
}

/** Another value for a member; `undefined` takes it away. The problem is at the member, or at `at`. */
export interface MemberFault {
  readonly member: string;
  readonly value: unknown;
  readonly at?: string;
}

/** The body with the fault in it. */
export function breakBody(
  body: object,
  { member, value, at = member }: MemberFault,
  code: number,
): InvalidBody {
  const { [member]: _, ...rest } = body as Record<string, unknown>;
  return { body: value === undefined ? rest : { ...rest, [member]: value }, code, pointer: `/${at}` };
}

/** Bodies that change some of the members, all or none. */
export function patchOf<T extends object, M extends keyof T & string>(
  fc: FastCheck,
  bodies: Arbitrary<T>,
  members: readonly M[],
): Arbitrary<Partial<Pick<T, M>>> {
  return fc.tuple(bodies, fc.subarray([...members])).map(([body, kept]) => {
    const entries = kept
      .filter((member) => Object.hasOwn(body, member))
      .map((member) => [member, body[member]]);
    return Object.fromEntries(entries) as Partial<Pick<T, M>>;
  });
}

/** The faults that a patch of these members can have: nothing needs to be there. */
export function patchFaults(faults: readonly MemberFault[], members: readonly string[]): MemberFault[] {
  return faults.filter(({ member, value }) => value !== undefined && members.includes(member));
}
