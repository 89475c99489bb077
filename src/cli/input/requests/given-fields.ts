/** `--given`: values of fields for requests that do not state them. */
import { parseJson } from "../../../core/json-value.ts";
import type { SimulatedRequest } from "../../../engine/tokens/model.ts";
import { checkRequest } from "../../../engine/tokens/zone/request.ts";
import { UsageError } from "../../command.ts";
import type { GivenField } from "../../options/requests.ts";

/** The members of requests that have the fields. */
export type GivenMembers = Pick<SimulatedRequest, "ip" | "fields">;

/** Adds members to a request; what it states itself stays. */
export type AddGiven = <R extends GivenMembers>(request: R) => R;

const anyRequest = { method: "GET", url: "https://example.com/" };

/** @throws {UsageError} for a field that no test can state, and for a value of another type */
export function readGivenFields(given: readonly GivenField[]): AddGiven {
  let ip: string | undefined;
  const fields: Record<string, unknown> = {};
  for (const { name, value } of given) {
    if (name === "ip.src") {
      assertValid({ ip: value }, name, value);
      ip = value;
    } else fields[name] = valueFrom(name, value);
  }
  const hasFields = Object.keys(fields).length > 0;
  return (request) => ({
    ...request,
    ...(request.ip === undefined && ip !== undefined && { ip }),
    ...(hasFields && { fields: { ...fields, ...request.fields } }),
  });
}

/** The value as a text, or else as JSON. */
function valueFrom(name: string, text: string): unknown {
  if (checkRequest({ ...anyRequest, fields: { [name]: text } }).length === 0) return text;
  const parsed = parseJson(text);
  const value = parsed === undefined ? text : parsed;
  assertValid({ fields: { [name]: value } }, name, text);
  return value;
}

function assertValid(members: GivenMembers, name: string, text: string): void {
  const [first] = checkRequest({ ...anyRequest, ...members });
  if (first) throw new UsageError(`--given ${name}=${text}: ${first.message}`);
}
