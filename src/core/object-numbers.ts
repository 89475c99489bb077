/** Numbers of objects, for keys. */

/** Numbers objects in the order in which they are first seen. */
export function createNumbers<T extends object>(): (object: T) => number {
  const numbers = new WeakMap<T, number>();
  let next = 0;
  return (object) => {
    const number = numbers.get(object) ?? next++;
    numbers.set(object, number);
    return number;
  };
}
