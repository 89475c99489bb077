/** Every function of every entry, and every method of what they return. */
import { exceptions, type ValidCall, validCalls } from "./valid-calls.ts";

/** The entries of the package; `fuzz.prop.test.ts` compares them with its manifest. */
export const entries = {
  ".": () => import("edgeproof"),
  "./analysis": () => import("edgeproof/analysis"),
  "./brand": () => import("edgeproof/brand"),
  "./brand/names": () => import("edgeproof/brand/names"),
  "./http": () => import("edgeproof/http"),
  "./images": () => import("edgeproof/images"),
  "./proxy": () => import("edgeproof/proxy"),
  "./queues/jetstream": () => import("edgeproof/queues/jetstream"),
  "./queues/memory": () => import("edgeproof/queues/memory"),
  "./queues/postgres": () => import("edgeproof/queues/postgres"),
  "./stores/postgres": () => import("edgeproof/stores/postgres"),
  "./stores/sqlite": () => import("edgeproof/stores/sqlite"),
  "./testing": () => import("edgeproof/testing"),
  "./testing/arbitraries": () => import("edgeproof/testing/arbitraries"),
  "./testing/queues": () => import("edgeproof/testing/queues"),
  "./testing/stores": () => import("edgeproof/testing/stores"),
  "./testing/tokens": () => import("edgeproof/testing/tokens"),
  "./tokens": () => import("edgeproof/tokens"),
  "./workers": () => import("edgeproof/workers"),
  "./world": () => import("edgeproof/world"),
} satisfies Readonly<Record<string, () => Promise<object>>>;

type AnyFunction = (...args: unknown[]) => unknown;

/** A function that is called. */
export interface Target {
  readonly name: string;
  /** Arguments that it accepts; absent for a method without an example. */
  readonly valid?: readonly unknown[] | undefined;
  readonly positions: number;
  readonly call: AnyFunction;
}

/** Methods that end what others need, or wait for it. */
const ends = /^(close|settled|stop)$/;

/** All exported functions by name, each once. */
export async function exportedFunctions(): Promise<ReadonlyMap<string, AnyFunction>> {
  const found = new Map<string, AnyFunction>();
  for (const load of Object.values(entries)) {
    for (const [name, value] of Object.entries(await load()))
      if (typeof value === "function") found.set(name, value as AnyFunction);
  }
  return found;
}

/** The targets, in the order of the entries. */
export async function allTargets(): Promise<readonly Target[]> {
  const calls = await validCalls();
  const targets: Target[] = [];
  for (const [name, value] of await exportedFunctions()) {
    if (Object.hasOwn(exceptions, name)) continue;
    const valid = calls[name];
    const call = isClass(value) ? (...args: unknown[]) => Reflect.construct(value, args) : value;
    targets.push({ name, valid: valid?.args, positions: value.length, call });
    if (valid && !isClass(value)) targets.push(...(await methodsOf(name, call, valid)));
  }
  return targets;
}

function isClass(value: AnyFunction): boolean {
  return /^class\b/.test(Function.prototype.toString.call(value));
}

async function methodsOf(
  name: string,
  call: AnyFunction,
  { args, methods }: ValidCall,
): Promise<readonly Target[]> {
  if (methods === undefined) return [];
  const result = await call(...args);
  const found = membersOf(result, "", 0);
  for (const path of Object.keys(methods))
    if (!found.has(path)) throw new Error(`${name} returns no method ${path}; it has ${[...found.keys()]}`);
  return [...found].map(([path, method]) => {
    return { name: `${name}().${path}`, valid: methods[path], positions: method.length, call: method };
  });
}

/** Methods of a value and of the objects in it, by their paths; the path of a function itself is empty. */
function membersOf(value: unknown, at: string, depth: number): ReadonlyMap<string, AnyFunction> {
  const found = new Map<string, AnyFunction>();
  if (typeof value === "function" && at === "") found.set("", value as AnyFunction);
  for (const key of depth > 2 ? [] : memberNames(value)) {
    const member: unknown = Reflect.get(value as object, key);
    if (typeof member === "function") found.set(`${at}${key}`, member.bind(value) as AnyFunction);
    else for (const [path, inner] of membersOf(member, `${at}${key}.`, depth + 1)) found.set(path, inner);
  }
  return found;
}

/** Members of a function, an object and its classes, without those of the language. */
function memberNames(value: unknown): readonly string[] {
  if (typeof value === "function") return Object.keys(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  const names = new Set<string>();
  for (let holder = value; holder && holder !== Object.prototype; holder = Object.getPrototypeOf(holder))
    for (const name of Object.getOwnPropertyNames(holder)) names.add(name);
  return [...names].filter((name) => name !== "constructor" && !ends.test(name));
}
