/** Makes the lists of an account, which custom rules name, from its resources. A list without its items is unknown. */

import { addTo } from "../../core/groups.ts";
import { pointer, quote } from "../../errors.ts";
import type { Resource, ResourceOf, UnknownValue } from "../reading.ts";
import { type Assembly, accept, drop, leaveOut, leaveUndecided, ofKind } from "../world/assembly.ts";
import type { MergedOwner } from "../world/merge-resources.ts";
import { describeUnknown } from "../world/split-unknown.ts";
import { noAnswers } from "./assemble-rulesets.ts";

type List = ResourceOf<"rule_list">;
type Item = ResourceOf<"rule_list_item">;

/** @param at RFC 6901 pointer of the lists in the world */
export function assembleLists(
  assembly: Assembly,
  { resources, idOf }: MergedOwner,
  at: string,
): readonly object[] {
  const lists = ofKind(resources, "rule_list").filter((list) => isNamed(assembly, list));
  const items = itemsByList(assembly, lists, ofKind(resources, "rule_list_item"), idOf);
  const values: object[] = [];
  for (const list of lists) {
    const { value, unknown = [] } = list;
    const own = items.get(list) ?? [];
    // Items that are resources of their own are computed in the list.
    const isOpen = (part: UnknownValue) => isDecisive(part) && !(part.pointer === "/items" && own.length > 0);
    const missing = [...unknown.filter(isOpen), ...own.flatMap((item) => item.unknown ?? [])];
    if (missing.length > 0) {
      const message = `The list ${quote(value.name)} is left out: ${describeUnknown(missing)}.`;
      leaveOut(assembly, list as unknown as Resource, { about: "rule", message, effect: noAnswers });
    } else if (value.items === undefined && own.length === 0) leaveEmpty(assembly, list);
    else {
      const all = [...(value.items ?? []), ...own.flatMap((item) => item.value.item ?? [])];
      accept(assembly, list as unknown as Resource, at + pointer(values.push({ ...value, items: all }) - 1));
    }
  }
  return values;
}

/** Rules name no lists of redirects. */
function isNamed(assembly: Assembly, { value: { name, kind }, origin }: List): boolean {
  if ((kind as string | undefined) !== "redirect") return true;
  drop(assembly, origin, `Rules do not name the list ${quote(name)}, which has the kind \`redirect\`.`);
  return false;
}

function isDecisive({ pointer: at }: UnknownValue): boolean {
  return !["/id", "/description"].includes(at);
}

function leaveEmpty(assembly: Assembly, { value: { id, name }, origin }: List): void {
  const message = `The files do not have the items of the list ${quote(name)}; it is left out.`;
  const run = `save the response of \`/rules/lists/${id ?? "<id>"}/items\`, or add the list to the world file`;
  leaveUndecided(assembly, origin, { about: "rule", message, run, effect: noAnswers });
}

/** An item of a response does not name its list: it is that of the only list. */
function itemsByList(
  assembly: Assembly,
  lists: readonly List[],
  items: readonly Item[],
  idOf: MergedOwner["idOf"],
): ReadonlyMap<List, readonly Item[]> {
  const found = new Map<List, Item[]>();
  for (const item of items) {
    const { list_id: given } = item.value;
    const id = given === undefined ? given : idOf("rule_list", given);
    const [only, ...more] = lists;
    const list = id === undefined && more.length === 0 ? only : lists.find(({ value }) => value.id === id);
    if (list) addTo(found, list, item);
    else if (item.unknown?.some(({ pointer: at }) => at === "/list_id") || id === undefined)
      leaveItem(assembly, item);
    else drop(assembly, item.origin, `The files do not have the list ${quote(id)} of this item.`);
  }
  return found;
}

function leaveItem(assembly: Assembly, { origin }: Item): void {
  const message = "The list of an item is not known.";
  const run = "add the lists to the world file";
  leaveUndecided(assembly, origin, { about: "rule", message, run, effect: {} });
}
