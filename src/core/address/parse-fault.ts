/** The failure of parsers of addresses and other short values: where a string stops following its grammar, and what is allowed there. */
import { type Failure, failure } from "../result.ts";

/** Where a string stops following its grammar. */
export interface ParseFault {
  /** Offset of the first wrong character in UTF-16 code units, from 0; the string's length when it ends too early. */
  readonly offset: number;
  /** The expected text at the offset, as the end of a sentence. */
  readonly message: string;
}

/** A failed parse. */
export function parseFailure(offset: number, message: string): Failure<ParseFault> {
  return failure({ offset, message });
}
