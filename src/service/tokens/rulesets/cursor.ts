/** Lists with cursors: a cursor is the position of the next element, opaque to the client. */

import { parseInteger } from "../../../core/text/typed-values.ts";
import { quote } from "../../../errors.ts";
import type { QueryOf } from "../../../schemas/parameters.ts";
import type { itemPageQuery } from "../../../schemas/rulesets.ts";
import { invalid } from "../../context.ts";

/** The page that a caller asks for. */
export interface CursorRequest {
  /** That of the page before. Default: the first page. */
  readonly cursor?: string | undefined;
  readonly per_page?: number | undefined;
}

/** A page, with the cursor of the next one; absent on the last page. */
export interface CursorPage<T> {
  readonly items: readonly T[];
  /** Position of the first element, from 0. */
  readonly offset: number;
  readonly after?: string;
}

/** Reads the page of a request. @throws {ApiError} for a cursor of another form */
export function readCursor({
  cursor,
  per_page: size,
}: QueryOf<typeof itemPageQuery>): <T>(all: readonly T[]) => CursorPage<T> {
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
