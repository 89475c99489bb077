/** Finds the resource that a computed attribute refers to, when it refers to one only. */
import type { Instance } from "./instance.ts";
import type { References } from "./references.ts";

/**
 * The only instance of a type that an attribute refers to; undefined when there is none or several.
 *
 * @param attribute with references such as `cloudflare_zone.main.id`, which are relative to the module of the instance
 */
export function resolveReference(
  { references, instances }: { readonly references: References; readonly instances: readonly Instance[] },
  { address }: Instance,
  attribute: string,
  type: string,
): Instance | undefined {
  const module = /^(?:module\.[^.[]+(?:\[(?:"[^"\\]*(?:\\.[^"\\]*)*"|\d+)\])?\.)*/.exec(address)?.[0] ?? "";
  const named = references(address, attribute).filter((reference) => reference.startsWith(`${type}.`));
  const addresses = new Set(named.map((reference) => module + reference.replace(/\.[^."\]]*$/, "")));
  const found = instances.filter(
    (instance) => instance.type === type && !instance.isData && addresses.has(instance.address),
  );
  return found.length === 1 && addresses.size === 1 ? found[0] : undefined;
}
