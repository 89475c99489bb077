/** The claims of a token (RFC 7519, section 4.1) from the fields of a form. */
import { type JsonObject, parseJsonObject } from "../../core/json-value.ts";
import { stringField } from "../data/fields.ts";
import { RequestFault } from "../guard/request-fault.ts";

/** Empty fields are no claims; the fields have precedence over the JSON. @throws {RequestFault} 400 */
export function readClaims(form: JsonObject, nowMs: number): Readonly<Record<string, unknown>> {
  const now = Math.floor(nowMs / 1000);
  const audiences = stringField(form, "aud")
    .split(/[\s,]+/)
    .filter((part) => part !== "");
  const [exp, nbf] = [secondsField(form, "exp", "Expires"), secondsField(form, "nbf", "Valid from")];
  return {
    ...objectOf(stringField(form, "others")),
    ...textClaim(form, "iss"),
    ...textClaim(form, "sub"),
    ...(audiences.length > 0 && { aud: audiences.length === 1 ? audiences[0] : audiences }),
    ...(exp !== undefined && { exp: now + exp }),
    ...(nbf !== undefined && { nbf: now + nbf }),
  };
}

function textClaim(form: JsonObject, name: string): Readonly<Record<string, string>> {
  const value = stringField(form, name);
  return value === "" ? {} : { [name]: value };
}

/** A number of seconds from now, which may be negative. */
function secondsField(form: JsonObject, name: string, title: string): number | undefined {
  const text = stringField(form, name).trim();
  if (text === "") return undefined;
  if (/^-?\d{1,12}$/.test(text)) return Number(text);
  throw new RequestFault(400, `${title} must be a whole number of seconds from now; found \`${text}\`.`);
}

function objectOf(text: string): JsonObject {
  if (text.trim() === "") return {};
  const value = parseJsonObject(text);
  if (value !== undefined) return value;
  throw new RequestFault(400, 'The other claims must be a JSON object, such as {"role": "admin"}.');
}
