/** Lists with cursors: a cursor is the position of the next element, opaque to the client. */

import { quote, quoteText } from "../../../errors.ts";
import { invalid } from "../../context.ts";
import { integerText, parseInteger } from "../../integer.ts";

/** The page that a request asks for, as strings of the query. */
export interface CursorRequest {
  readonly cursor?: string | undefined;
  readonly per_page?: string | undefined;
}

/** A page, with the cursor of the next one; absent on the last page. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  /** Position of the first element, from 0. */
  readonly offset: number;
  readonly after?: string;
}

/** Sizes of pages. */
interface PageSizes {
  readonly default: number;
  readonly max: number;
}

/** Reads the page of a request. @throws {ApiError} for a cursor of another form, and a size out of range */
export function readCursor(
  { cursor, per_page }: CursorRequest,
  sizes: PageSizes,
): <T>(all: readonly T[]) => CursorPage<T> {
  const size = per_page === undefined ? sizes.default : parseInteger(per_page);
  if (size === undefined || size < 1 || size > sizes.max)
    throw invalid(
      "tokens",
      `\`per_page\` must be ${integerText}, from 1 to ${sizes.max}; found ${quoteText(per_page ?? "")}.`,
    );
  const offset = cursor === undefined ? 0 : parseCursor(cursor);
  return (all) => {
    const end = offset + size;
    return {
      items: all.slice(offset, end),
      offset,
      ...(end < all.length && { after: printCursor(end) }),
    };
  };
}

function printCursor(offset: number): string {
  return Buffer.from(String(offset)).toString("base64url");
}

function parseCursor(cursor: string): number {
  const offset = parseInteger(Buffer.from(cursor, "base64url").toString("latin1"));
  if (offset !== undefined && Number.isSafeInteger(offset) && printCursor(offset) === cursor) return offset;
  throw invalid("tokens", `\`cursor\` must be one of \`result_info\`; found ${quote(cursor)}.`);
}
