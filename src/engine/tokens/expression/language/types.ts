/** The types of values in expressions. */

/** The values of each type. */
export interface Values {
  /** Text; lengths are in UTF-8. */
  readonly String: string;
  /** An integer. */
  readonly Int: number;
}

/** The name of a type. */
export type ValueType = keyof Values;

/** A value of each type, for messages. */
export const typeNouns: { readonly [T in ValueType]: string } = { String: "a string", Int: "a number" };
