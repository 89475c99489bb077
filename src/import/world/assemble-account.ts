/** Makes an account of the world from its resources. */
import { pointer } from "../../errors.ts";
import type { World } from "../../service/world/schema.ts";
import type { Resource, ResourceKind, ResourceOf } from "../reading.ts";
import { assembleLists } from "../rulesets/assemble-lists.ts";
import { assembleRulesets } from "../rulesets/assemble-rulesets.ts";
import { type Assembly, type AssemblyOptions, accept, drop, ofKind } from "./assembly.ts";
import type { MergedOwner } from "./merge-resources.ts";
import { describeUnknown } from "./split-unknown.ts";

type Account = NonNullable<World["accounts"]>[number];

/** @param at RFC 6901 pointer of the account in the world */
export function assembleAccount(
  assembly: Assembly,
  owner: MergedOwner,
  at: string,
  { withSecrets }: AssemblyOptions,
): Account {
  const { id, resources } = owner;
  const list = <K extends ResourceKind>(kind: K, path: string) =>
    acceptKnown(assembly, ofKind(resources, kind), at + path);
  const variants = list("image_variant", "/images/variants");
  const keys = withSecrets ? list("image_key", "/images/signing_keys") : dropSecrets(assembly, resources);
  const queries = list("domain_query", "/brand/queries");
  const [config] = ofKind(resources, "image_config");
  if (config) accept(assembly, config, `${at}/images/config`);
  const images = {
    ...(config && { config: config.value }),
    ...(keys.length > 0 && { signing_keys: keys }),
    ...(variants.length > 0 && { variants }),
  };
  const rulesets = assembleRulesets(assembly, resources, `${at}/rulesets`);
  const lists = assembleLists(assembly, owner, `${at}/lists`);
  return {
    id,
    ...(rulesets.length > 0 && { rulesets }),
    ...(lists.length > 0 && { lists }),
    ...(Object.keys(images).length > 0 && { images }),
    ...(queries.length > 0 && { brand: { queries } }),
  } as Account;
}

/** Variants and queries with an unknown member are dropped: no verdict depends on them. */
function acceptKnown<K extends ResourceKind>(
  assembly: Assembly,
  resources: readonly ResourceOf<K>[],
  at: string,
): ResourceOf<K>["value"][] {
  const values: ResourceOf<K>["value"][] = [];
  for (const resource of resources as readonly (ResourceOf<K> & Resource)[]) {
    if (resource.unknown?.length) drop(assembly, resource.origin, `${describeUnknown(resource.unknown)}.`);
    else accept(assembly, resource, at + pointer(values.push(resource.value) - 1));
  }
  return values;
}

function dropSecrets(assembly: Assembly, resources: readonly Resource[]): [] {
  for (const { origin } of ofKind(resources, "image_key"))
    drop(assembly, origin, "A signing key is a secret; `--with-secrets` (`withSecrets`) copies it.");
  return [];
}
