/** Values under one name, so that equal ones are printed equally. */

import type { CustomLiteral, CustomValue } from "../../expression/custom/tree.ts";
import { ownName } from "../../expression/custom/values/given.ts";
import { customFields } from "../../expression/language/custom-fields.ts";

/** The value with the names that other names of fields stand for. */
export function canonicalValue<V extends CustomValue | CustomLiteral>(value: V): V;
export function canonicalValue(value: CustomValue | CustomLiteral): CustomValue | CustomLiteral {
  switch (value.kind) {
    case "literal":
      return value;
    case "field": {
      const field = customFields.get(value.name);
      return field === undefined ? value : { ...value, name: ownName(field) };
    }
    case "call":
      return { ...value, args: value.args.map((one) => canonicalValue(one)) };
    default:
      return { ...value, of: canonicalValue(value.of) };
  }
}
