/** Asserts failure responses, and records the codes that tests provoke (for `scripts/check-codes.ts`). */
import { appendFileSync, mkdirSync } from "node:fs";
import { expect } from "vitest";

export interface ExpectedFailure {
  readonly status: number;
  readonly code: number;
  readonly pointer?: string;
  readonly message?: RegExp;
}

/** Records that a test has provoked a code. */
export function provoked(code: number): void {
  mkdirSync("coverage", { recursive: true });
  appendFileSync("coverage/provoked-codes.txt", `${code}\n`);
}

/** Asserts that the response is this failure, in the failure body of the interface. */
export async function expectFailure(response: Response, expected: ExpectedFailure): Promise<void> {
  const body = (await response.json()) as FailureShape;
  expect(body, JSON.stringify(body)).toMatchObject({ messages: [], success: false, result: null });
  const [first] = body.errors;
  expect({ status: response.status, code: first?.code }, JSON.stringify(body)).toEqual({
    status: expected.status,
    code: expected.code,
  });
  expect(first?.message.length).toBeGreaterThan(0);
  if (expected.pointer !== undefined) expect(first?.source?.pointer).toBe(expected.pointer);
  if (expected.message) expect(first?.message).toMatch(expected.message);
  provoked(expected.code);
}

interface FailureShape {
  readonly errors: readonly {
    readonly code: number;
    readonly message: string;
    readonly source?: { readonly pointer?: string };
  }[];
}
