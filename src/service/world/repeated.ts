/** Values of a world that must be unique. */
import { type CodedDiagnostic, problem, quote } from "../../errors.ts";
import { genericCodes } from "../context.ts";

/** A problem for each value that an earlier one equals. */
export function repeated(
  values: readonly string[],
  at: (index: number) => string,
  name: (value: string) => string = quote,
): CodedDiagnostic[] {
  const firsts = new Map(values.map((value, i) => [value, i] as const).reverse());
  return values.flatMap((value, i) => {
    const first = firsts.get(value) ?? i;
    if (first === i) return [];
    const message = `${name(value)} is already used at \`${at(first)}\`; it must be unique.`;
    return [problem(genericCodes.shared.invalid, message, at(i))];
  });
}
