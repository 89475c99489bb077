/** Long lists for people: the first elements of each group, and the number of the others. */
import { formatNumber } from "../../core/format-count.ts";

/** Maximum number of elements of a group that are printed, unless all are asked for. */
const maxOfGroup = 10;

/** The elements to print, and a line for each group that has more. */
interface Bounded<T> {
  readonly kept: readonly T[];
  readonly more: readonly string[];
}

/** @param groupOf the name of the group of an element @param all whether every element is kept */
export function firstOfGroups<T>(
  elements: readonly T[],
  groupOf: (element: T) => string,
  all: boolean,
): Bounded<T> {
  if (all) return { kept: elements, more: [] };
  const counts = new Map<string, number>();
  const kept = elements.filter((element) => {
    const name = groupOf(element);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= maxOfGroup;
  });
  const more = [...counts].flatMap(([name, count]) =>
    count > maxOfGroup ? [`and ${formatNumber(count - maxOfGroup)} more: ${name}: --all prints them`] : [],
  );
  return { kept, more };
}
