/** Ids of operations: unique, at most 64 characters, the same for the same document. */

/** The longest id that the interface allows, in characters. */
const maxId = 64;

/** Returns an id that no earlier operation has: the wanted one, or with a number at its end. */
export function createIds(): (wanted: string) => string {
  const used = new Set<string>();
  const counts = new Map<string, number>();
  return (wanted) => {
    let id = cut(wanted, maxId);
    const base = id;
    let count = counts.get(base) ?? 1;
    while (used.has(id)) {
      const suffix = ` ${++count}`;
      id = cut(base, maxId - suffix.length) + suffix;
    }
    counts.set(base, count);
    used.add(id);
    return id;
  };
}

/** The start of a text, without half of a surrogate pair at its end. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
