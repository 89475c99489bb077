/** The source of a computed attribute, from the configuration in a plan. */
import { isJsonObject, type JsonObject } from "../../core/json-value.ts";

/**
 * The references of an attribute of an instance, or of the value at an RFC 6901 pointer into it where the file tells these
 * apart; empty when the file does not say them.
 */
export type References = (address: string, attribute: string, pointer?: string) => readonly string[];

/** Module calls that are followed from a variable; deeper nesting ends at the variable. */
const maxCalls = 32;

/** @param configuration the member of that name of a plan */
export function referencesOf(configuration: unknown): References {
  return (address, attribute) => {
    const { calls, modules, expressions } = findExpressions(configuration, address);
    if (!expressions || !Object.hasOwn(expressions, attribute)) return [];
    const found = collectReferences(expressions[attribute], 0);
    const followed = found.flatMap((reference) => followVariable(reference, modules, calls));
    return longest(followed);
  };
}

/** Whether the configuration has the resource of an instance and does not set an attribute, so that the service chooses it. */
export function isUnset(configuration: unknown, address: string, attribute: string): boolean {
  const { expressions } = findExpressions(configuration, address);
  return expressions !== undefined && !Object.hasOwn(expressions, attribute);
}

/** The expressions of the resource of an instance, and the modules around it. */
function findExpressions(configuration: unknown, address: string) {
  const root = isJsonObject(configuration) ? configuration["root_module"] : undefined;
  const { calls, resource } = parseAddress(address);
  const modules = modulesOf(root, calls);
  const own = listOf(modules.at(-1), "resources").find(({ address: found }) => found === resource);
  const expressions = own?.["expressions"];
  return { calls, modules, expressions: isJsonObject(expressions) ? expressions : undefined };
}

/** The names of the module calls, and the address in its module without keys. */
function parseAddress(address: string): { readonly calls: readonly string[]; readonly resource: string } {
  const plain = address.replaceAll(/\["[^"\\]*(?:\\.[^"\\]*)*"\]|\[\d+\]/g, "");
  const parts = plain.split(".");
  const calls: string[] = [];
  while (parts.length > 2 && parts[0] === "module") calls.push(...parts.splice(0, 2).slice(1));
  return { calls, resource: parts.join(".") };
}

/** The modules from the root to the last call; shorter when a call is missing. */
function modulesOf(root: unknown, calls: readonly string[]): readonly unknown[] {
  const modules: unknown[] = [root];
  for (const call of calls) modules.push(callOf(modules.at(-1), call)?.["module"]);
  return modules;
}

function callOf(module: unknown, name: string): JsonObject | undefined {
  const calls = isJsonObject(module) ? module["module_calls"] : undefined;
  const call = isJsonObject(calls) && Object.hasOwn(calls, name) ? calls[name] : undefined;
  return isJsonObject(call) ? call : undefined;
}

function listOf(module: unknown, name: string): readonly JsonObject[] {
  const list = isJsonObject(module) ? module[name] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** An expression has `references`; a block has expressions, or a list of blocks. */
function collectReferences(expression: unknown, depth: number): readonly string[] {
  if (depth > maxCalls) return [];
  if (Array.isArray(expression))
    return expression.flatMap((element) => collectReferences(element, depth + 1));
  if (!isJsonObject(expression)) return [];
  const { references } = expression;
  if (Array.isArray(references)) return references.filter((reference) => typeof reference === "string");
  return Object.values(expression).flatMap((member) => collectReferences(member, depth + 1));
}

/** A variable of a module is what the call of the module gives it. */
function followVariable(
  reference: string,
  modules: readonly unknown[],
  calls: readonly string[],
): readonly string[] {
  const [, name] = /^var\.([^.[]+)/.exec(reference) ?? [];
  const call = calls.at(-1);
  if (name === undefined || call === undefined) return [reference];
  const inputs = callOf(modules.at(-2), call)?.["expressions"];
  if (!isJsonObject(inputs) || !Object.hasOwn(inputs, name)) return [reference];
  const found = collectReferences(inputs[name], 0);
  return found.flatMap((inner) => followVariable(inner, modules.slice(0, -1), calls.slice(0, -1)));
}

/** Terraform lists `a.b["web"].id`, then `a.b["web"]`, then `a.b`: only the first says more. */
function longest(references: readonly string[]): readonly string[] {
  const unique = [...new Set(references)];
  return unique.filter((name) => !unique.some((other) => other !== name && isPrefix(name, other)));
}

function isPrefix(name: string, other: string): boolean {
  return other.startsWith(`${name}.`) || other.startsWith(`${name}[`);
}
