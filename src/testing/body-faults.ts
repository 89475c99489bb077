/** Bodies of requests with one fault: a member that has another value, or is missing. */

/** A body that the service refuses, and how. */
export interface WrongBody {
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
): WrongBody {
  const { [member]: _, ...rest } = body as Record<string, unknown>;
  return { body: value === undefined ? rest : { ...rest, [member]: value }, code, pointer: `/${at}` };
}
