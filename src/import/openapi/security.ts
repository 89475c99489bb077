/** The security of operations: alternatives, each of which is a set of schemes that are all needed. */

import { isJsonObject, type JsonObject } from "../../core/json-value.ts";
import { invalidValue } from "../../engine/tokens/input-problem.ts";
import { pointer, quote } from "../../errors.ts";
import { arrayMember, type Placed, type ReadingContext, reject, remark } from "./reading-context.ts";
import type { SecurityScheme } from "./security-schemes.ts";

/** Alternatives of schemes; none: public. */
export type Security = readonly (readonly SecurityScheme[])[];

/** The security of an object; undefined when it has no member `security`, and the one around it counts. */
export function readSecurity(
  context: ReadingContext,
  owner: JsonObject,
  at: string,
  schemes: Map<string, SecurityScheme>,
): Security | undefined {
  if (!Object.hasOwn(owner, "security")) return undefined;
  const here = `${at}/security`;
  const value = owner["security"];
  // A list that is missing would mean that the operation is public.
  if (value === undefined || value === null) {
    reject(context, invalidValue(here, "`security`", "an array", value));
    return undefined;
  }
  const list = arrayMember(context, "`security`", { value, at: here }) ?? [];
  return list.map((element, i) =>
    readAlternative(context, { value: element, at: here + pointer(i) }, schemes),
  );
}

function readAlternative(
  context: ReadingContext,
  { value, at }: Placed,
  schemes: Map<string, SecurityScheme>,
): readonly SecurityScheme[] {
  if (!isJsonObject(value)) {
    reject(context, invalidValue(at, "an element of `security`", "an object", value));
    return [];
  }
  return Object.keys(value).map((name) => schemes.get(name) ?? addUndefined(context, name, at, schemes));
}

function addUndefined(
  context: ReadingContext,
  name: string,
  at: string,
  schemes: Map<string, SecurityScheme>,
): SecurityScheme {
  const reason = "the document does not define it";
  const added: SecurityScheme = { name, pointer: at + pointer(name), reason };
  schemes.set(name, added);
  const message = `The security scheme ${quote(name)} has no token source: ${reason}.`;
  remark(context, "dropped", added.pointer, message);
  return added;
}
