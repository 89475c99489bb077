/** Reads the lists that expressions of custom rules name: all problems, each with its pointer. */

import type { Diagnostic } from "../../../../core/diagnostic.ts";
import { isJsonObject } from "../../../../core/json-value.ts";
import { alternatives, type CodedDiagnostic, pointer, quote } from "../../../../errors.ts";
import { type CompiledList, compileList, type ListKind, listKinds } from "../../expression/values/lists.ts";
import { inputProblem, invalidValue } from "../../input-problem.ts";
import { type RemarkKind, remark } from "../../remarks/remark.ts";

/** A list of values that expressions name as `$name`. */
export interface RuleList {
  /** The type of the items. */
  readonly kind: ListKind;
  /** Addresses and prefixes; host names, which may start with `*.`; or numbers of autonomous systems. */
  readonly items: readonly (string | number)[];
}

/** The lists, and everything that is wrong with them. */
export interface ListsReading {
  readonly lists: ReadonlyMap<string, CompiledList>;
  readonly problems: readonly CodedDiagnostic[];
  /** The limits of the provider that the lists exceed. */
  readonly remarks: readonly Diagnostic<RemarkKind>[];
}

const kinds = Object.keys(listKinds) as ListKind[];

/** A name of a list as expressions have it. */
const listName = /^(?!\.)[a-z0-9_.]+(?<!\.)$/;

/** Reads lists of any shape. */
export function readLists(given: unknown): ListsReading {
  const lists = new Map<string, CompiledList>();
  if (given === undefined) return { lists, problems: [], remarks: [] };
  if (!isJsonObject(given))
    return {
      lists,
      problems: [invalidValue("/lists", "`lists`", "an object with a list for each name", given)],
      remarks: [],
    };
  const problems: CodedDiagnostic[] = [];
  for (const [name, list] of Object.entries(given)) {
    const at = pointer("lists", name);
    const found = readList(name, list, at, problems);
    if (found !== undefined) lists.set(name, found);
  }
  return { lists, problems, remarks: limitRemarks(lists) };
}

/** The limits of the provider: of all lists of an account together, and of a name (`observed`). */
const limits = { items: 10_000, name: 50 } as const;

function limitRemarks(lists: ReadonlyMap<string, CompiledList>): Diagnostic<RemarkKind>[] {
  const all = [...lists.values()].reduce((sum, { items }) => sum + items.length, 0);
  const [largest] = [...lists].sort(([, a], [, b]) => b.items.length - a.items.length);
  return [
    ...(largest !== undefined && all > limits.items
      ? [
          remark(
            "list-limit",
            pointer("lists", largest[0]),
            `The lists have ${all} items in all, and the provider accepts ${limits.items} for an account; the largest is ${quote(largest[0])} with ${largest[1].items.length}.`,
          ),
        ]
      : []),
    ...[...lists.keys()].flatMap((name) =>
      name.length > limits.name
        ? [
            remark(
              "list-limit",
              pointer("lists", name),
              `The name of a list has at most ${limits.name} characters; found ${name.length}.`,
            ),
          ]
        : [],
    ),
  ];
}

function readList(
  name: string,
  list: unknown,
  at: string,
  problems: CodedDiagnostic[],
): CompiledList | undefined {
  if (!listName.test(name)) {
    const allowed = "lower-case letters, digits, `_` and `.`, with no `.` at either end";
    problems.push(inputProblem(at, `The name of a list must have ${allowed}; found ${quote(name)}`));
    return undefined;
  }
  const { kind, items } = isJsonObject(list) ? list : {};
  const known = kinds.find((allowed) => allowed === kind);
  if (known === undefined)
    problems.push(invalidValue(`${at}/kind`, "`kind`", alternatives(kinds.map(quote)), kind));
  if (!Array.isArray(items)) problems.push(invalidValue(`${at}/items`, "`items`", "an array", items));
  if (known === undefined || !Array.isArray(items)) return undefined;
  const compiled = compileList(known, items);
  if (compiled.ok) return compiled.value;
  for (const { index, message } of compiled.problems)
    problems.push(inputProblem(`${at}/items${pointer(index)}`, message));
  return undefined;
}
