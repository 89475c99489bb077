/** Appends items one by one: as arguments of one call, very many would exhaust the call stack. */
export function append<Item>(to: Item[], items: Iterable<Item>): void {
  for (const item of items) to.push(item);
}

/** The values without repetitions. */
export function unique<Value>(values: Iterable<Value>): Value[] {
  return [...new Set(values)];
}
