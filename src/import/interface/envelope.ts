/** Responses of the interface: their marks, the faults that make one useless, and the lists of which they are a page. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { quote } from "../../errors.ts";

/** Whether a value has the marks of a response, with a result or with an error. */
export function isEnvelope(value: unknown): value is JsonObject {
  return isJsonObject(value) && (typeof value["success"] === "boolean" || errorOf(value) !== undefined);
}

function errorOf({ errors }: JsonObject): JsonObject | undefined {
  return Array.isArray(errors)
    ? errors.find((error) => isJsonObject(error) && "message" in error)
    : undefined;
}

/** Why a response cannot be read, with what to do; undefined for one with a result. */
export function envelopeFault(envelope: JsonObject): string | undefined {
  const { success, result } = envelope;
  const error = errorOf(envelope);
  if (success === false || (success !== true && error)) {
    const reason = error ? `${quote(error["code"])} ${quote(error["message"])}` : "it does not say which";
    return `The response is an error: ${reason}. Save it again, with a token that may read it.`;
  }
  if (typeof result === "object" && result !== null) return undefined;
  return `\`result\` must be an object or a list; found ${quote(result)}. Save the response of a GET request.`;
}

/** The page of a list that a response is. */
export interface PageInfo {
  readonly page?: number;
  /** The number of elements of the whole list, or the lowest that it can be. */
  readonly total?: number;
  /** Whether a cursor says that there are more elements; absent for lists whose length is known. */
  readonly hasNext?: boolean;
}

/** The members of `result_info`. */
export function pageInfo({ result_info: info }: JsonObject): PageInfo {
  if (!isJsonObject(info)) return {};
  const { page, per_page, total_count, total_pages, cursor, cursors } = info;
  const isPaged = typeof total_pages === "number" && total_pages > 1 && typeof per_page === "number";
  const total = typeof total_count === "number" ? total_count : isPaged && (total_pages - 1) * per_page + 1;
  if (typeof total === "number") return { ...(typeof page === "number" && { page }), total };
  const next = isJsonObject(cursors) ? cursors["after"] : cursor;
  return { ...(typeof page === "number" && { page }), hasNext: typeof next === "string" && next !== "" };
}
