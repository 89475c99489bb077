/** What every parser of this area returns: the value, or where and why the text stops being one. */

/** Where a text leaves its grammar. */
export interface Fault {
  /** Offset of the first offending character, in UTF-16 code units; the length of the text when it ends too early. */
  readonly at: number;
  /** What is expected there, as the end of a sentence. */
  readonly message: string;
}

/** A parsed value, or the fault that prevented it. */
export type Parsed<T, F extends Fault = Fault> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: F };

/** A successful parse. */
export function parsed<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** A failed parse. */
export function failed(at: number, message: string): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { at, message } };
}

/** Moves a fault of a part to its place in the whole text. */
export function shifted(fault: Fault, by: number): { readonly ok: false; readonly fault: Fault } {
  return failed(fault.at + by, fault.message);
}
