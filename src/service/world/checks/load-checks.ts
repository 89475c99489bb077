/** Loads the checks of the areas that a world has, and no others. */
import { isJsonObject } from "../../../core/json-value.ts";
import type { AreaChecks, AreaName } from "../check-world.ts";

interface Loading<Area extends AreaName> {
  /** Members of a zone or an account, or paths of members, without which there is nothing to check. */
  readonly members: readonly string[];
  readonly load: () => Promise<AreaChecks[Area]>;
}

const loadings: { readonly [Area in AreaName]: Loading<Area> } = {
  tokens: {
    members: ["token_validation"],
    load: async () => (await import("./tokens.ts")).checkTokens,
  },
  rulesets: {
    members: ["rulesets", "lists"],
    load: async () => (await import("./rulesets.ts")).checkRulesets,
  },
  brand: { members: ["brand"], load: async () => (await import("./brand.ts")).checkBrand },
  images: { members: ["images"], load: async () => (await import("./images.ts")).checkImages },
  proxy: { members: ["proxy"], load: async () => (await import("./proxy.ts")).checkProxy },
  applications: {
    members: ["proxy"],
    load: async () => (await import("./applications.ts")).checkApplications,
  },
  settings: {
    members: ["settings"],
    load: async () => (await import("./zone-settings.ts")).checkZoneSettings,
  },
};

/** The checks that can find something in a value that may be a world. */
export async function loadChecks(world: unknown): Promise<Partial<AreaChecks>> {
  const members = membersOf(world);
  const found = await Promise.all(
    (Object.keys(loadings) as AreaName[])
      .filter((area) => loadings[area].members.some((name) => members.has(name)))
      .map(async (area) => [area, await loadings[area].load()] as const),
  );
  return Object.fromEntries(found);
}

/** The names of the members of all zones and accounts; orphaned addresses belong to `proxy`. */
function membersOf(world: unknown): ReadonlySet<string> {
  if (!isJsonObject(world)) return new Set();
  const owners = [world["zones"], world["accounts"]].flatMap((list) => (Array.isArray(list) ? list : []));
  const names = owners.flatMap((owner: unknown) => (isJsonObject(owner) ? Object.keys(owner) : []));
  return new Set([...names, ...(world["orphaned_edge_ips"] === undefined ? [] : ["proxy"])]);
}
