/** Compares the output type of a schema with the engine's model. */

/** A type without `readonly` and without explicit undefined, which schemas and models write differently. */
export type Plain<T> = T extends readonly (infer E)[]
  ? Plain<E>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<Exclude<T[K], undefined>> }
    : T;
