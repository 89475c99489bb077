/** Errors of the Images binding (texts `observed` for `INFO` and `TRANSFORM`, chosen for `HOSTED`). */

import { type Code, quote } from "../../../errors.ts";

/** The part of the binding that has failed. */
export type BindingPart = "INFO" | "TRANSFORM" | "HOSTED";

/** How the binding reports members of options that have no effect. */
export interface WarningOptions {
  /** Called with each member that is not known, and each option that is not simulated: a sentence without a full stop. */
  readonly onWarning?: (message: string) => void;
  /** Whether a member that is not known is an error with code 9401, or 5400 of `hosted`. Default false. */
  readonly strict?: boolean;
}

/** Reports members that are not known. @throws {Error} when the binding is strict */
export type ReportUnknown = (part: BindingPart, warnings: readonly string[]) => void;

export function unknownReporter({ onWarning, strict = false }: WarningOptions): ReportUnknown {
  return (part, [first, ...rest]) => {
    if (first === undefined) return;
    if (strict) throw bindingError(part, part === "HOSTED" ? 5400 : 9401, `${first}.`);
    for (const warning of [first, ...rest]) onWarning?.(warning);
  };
}

/** A sentence for each member of an object that is not one of the names. */
export function unknownMembers(options: object, names: readonly string[]): string[] {
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  return unknown.map((name) => `${quote(name)} is not an option here and has no effect`);
}

/** An error of the binding; its message begins with the part and the code, as the runtime's does (`observed`). */
export class BindingError extends Error {
  readonly code: Code;
  /** The message without its beginning. */
  readonly #sentence: string;

  constructor(part: BindingPart, code: Code, sentence: string) {
    super(`IMAGES_${part}_ERROR ${code}: ${sentence}`);
    this.code = code;
    this.#sentence = sentence;
  }

  /** The code and the message without its beginning. */
  get problem(): { readonly code: Code; readonly message: string } {
    return { code: this.code, message: this.#sentence };
  }
}

export function bindingError(part: BindingPart, code: Code, sentence: string): BindingError {
  return new BindingError(part, code, sentence);
}
