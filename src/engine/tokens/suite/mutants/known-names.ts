/** The strings and names of a zone, which take each other's place in mutants. */

import { printValue } from "../../expression/printer.ts";
import type { Expression, Value } from "../../expression/tree.ts";
import { isLookup, testsOf, valuesOf } from "../../expression/tree-queries.ts";
import { toBytes } from "../../expression/values/bytes.ts";
import type { ReadZone } from "../../zone/zone-input.ts";
import { literalsOf } from "./literals.ts";
import type { KnownNames, KnownStrings } from "./part-changes.ts";

/** The names of the expressions of a zone, of its operations and of its token sources. */
export function knownNamesOf(
  { configs, operations = [] }: Pick<ReadZone, "configs" | "operations">,
  expressions: readonly Expression[],
  hosts: readonly string[],
): KnownNames {
  const strings = createLists();
  const keys = createLists();
  const claims = new Set<string>();
  for (const { literal, of } of expressions.flatMap(testsOf).flatMap(literalsOf)) {
    if (of === undefined) continue;
    if (literal.kind === "literal" && typeof literal.value === "string")
      strings.add(nameOf(of), literal.value);
    if (literal.kind === "set")
      for (const item of literal.items) if (item.type === "String") strings.add(nameOf(of), item.value);
  }
  for (const value of expressions.flatMap(valuesOf)) {
    if (value.kind === "index" && typeof value.key === "string") keys.add(printValue(value.of), value.key);
    for (const key of isLookup(value) ? value.args.slice(1) : [])
      if (key.kind === "literal" && typeof key.value === "string") claims.add(key.value);
  }
  for (const { sources } of configs) for (const { name, key } of sources) keys.add(name, toBytes(key));
  const methods = [...new Set(operations.map(({ method }) => method))];
  const vocabularies: Readonly<Record<string, KnownStrings>> = {
    "http.request.method": { inZone: methods, usual: usualMethods },
    "http.host": { inZone: hosts.map(toBytes), usual: hosts.map(toBytes) },
  };
  return {
    strings: (value) => {
      const name = nameOf(value);
      const { inZone, usual } = vocabularies[name] ?? { inZone: [], usual: [] };
      return { inZone: [...new Set([...strings.of(name), ...inZone])], usual };
    },
    keys: (map) => keys.of(printValue(map)),
    claims: [...claims],
  };
}

const usualMethods = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

/** The field that a value is of, and the name of a header or cookie, without functions and positions. */
function nameOf(value: Value): string {
  if (value.kind === "field" || (value.kind === "index" && typeof value.key === "string"))
    return printValue(value).toLowerCase();
  if (value.kind !== "call") return nameOf(value.of);
  const [first] = value.args;
  return first === undefined || first.kind === "literal" ? printValue(value) : nameOf(first);
}

/** Lists without repetitions, by name. */
function createLists() {
  const lists = new Map<string, Set<string>>();
  return {
    add: (name: string, value: string) => void lists.set(name, (lists.get(name) ?? new Set()).add(value)),
    of: (name: string): readonly string[] => [...(lists.get(name) ?? [])],
  };
}
