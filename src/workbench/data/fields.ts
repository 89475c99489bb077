/** Reads the members of a JSON body that the page sends; another client gets a message that names the member. */
import { isJsonObject, type JsonObject, ownMember } from "../../core/json-value.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { PlainRequest } from "../messages.ts";

/** The body as an object. @throws {RequestFault} 400 */
export function objectBody(body: unknown): JsonObject {
  if (isJsonObject(body)) return body;
  throw new RequestFault(400, "The body must be a JSON object.");
}

/** A member that is a string. @throws {RequestFault} 400 */
export function stringField(body: JsonObject, name: string): string {
  const value = ownMember(body, name);
  if (typeof value === "string") return value;
  throw new RequestFault(400, `\`${name}\` must be a string.`);
}

/** A member that is a boolean. @throws {RequestFault} 400 */
export function booleanField(body: JsonObject, name: string): boolean {
  const value = ownMember(body, name);
  if (typeof value === "boolean") return value;
  throw new RequestFault(400, `\`${name}\` must be true or false.`);
}

/** A member that is an integer from 1. @throws {RequestFault} 400 */
export function indexField(body: JsonObject, name: string): number {
  const value = ownMember(body, name);
  if (Number.isSafeInteger(value) && Number(value) > 0) return Number(value);
  throw new RequestFault(400, `\`${name}\` must be an integer from 1.`);
}

/** A member that is a request. @throws {RequestFault} 400 */
export function requestField(body: JsonObject, name = "request"): PlainRequest {
  const value = ownMember(body, name);
  if (isJsonObject(value)) {
    const { method, url, headers } = value;
    if (
      typeof method === "string" &&
      typeof url === "string" &&
      Array.isArray(headers) &&
      headers.every(isPair)
    )
      return { method, url, headers, ...customMembers(value) };
  }
  throw new RequestFault(400, `\`${name}\` must have \`method\`, \`url\` and \`headers\`, a list of pairs.`);
}

/** The members that only custom rules read. The engine checks the values of fields. */
function customMembers(request: JsonObject): Omit<PlainRequest, "method" | "url" | "headers"> {
  const { ip, body, challengePassed, fields } = request;
  return {
    ...(ip !== undefined && { ip: stringField(request, "ip") }),
    ...(body !== undefined && { body: stringField(request, "body") }),
    ...(challengePassed !== undefined && { challengePassed: booleanField(request, "challengePassed") }),
    ...(fields !== undefined && { fields: objectField(request, "fields") }),
  };
}

/** A member that is an object. @throws {RequestFault} 400 */
export function objectField(body: JsonObject, name: string): JsonObject {
  const value = ownMember(body, name);
  if (isJsonObject(value)) return value;
  throw new RequestFault(400, `\`${name}\` must be an object.`);
}

function isPair(value: unknown): value is readonly [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === "string");
}
