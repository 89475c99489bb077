/** Gives the keys of key files to a configuration of another file. */
import { quote } from "../../errors.ts";
import { locationOf } from "../origin.ts";
import type { Reading, Resource, ResourceOf } from "../reading.ts";
import { undecidedPart } from "../undecided.ts";
import { namesOf } from "../world/identities.ts";

type Config = ResourceOf<"token_config">;

const isConfig = (resource: Resource): resource is Config => resource.kind === "token_config";

const isKeySet = (resource: Resource): resource is Config => isConfig(resource) && resource.isKeySet === true;

/**
 * Replaces the keys of a configuration by those of the key files. When no or more than one configuration is meant, the
 * keys are undecided.
 *
 * @param wanted id or title of the configuration
 */
export function attachKeys(readings: readonly Reading[], wanted: string): readonly Reading[] {
  const resources = readings.flatMap((reading) => reading.resources);
  const sets = resources.filter(isKeySet);
  if (sets.length === 0) return readings;
  // Several files can have one configuration, and one file of keys can be given twice.
  const targets = resources
    .filter(isConfig)
    .filter((resource) => !isKeySet(resource) && isMeant(resource, wanted));
  const count = new Set(targets.map((target) => namesOf(target)[0])).size;
  if (count !== 1) return readings.map((reading) => undecided(reading, wanted, count));
  const given = sets.flatMap(({ value }) => value.credentials?.keys ?? []);
  const keys = [...new Map(given.map((key) => [JSON.stringify(key), key])).values()];
  return readings.map((reading) => ({
    ...reading,
    resources: reading.resources
      .filter((resource) => !isKeySet(resource))
      .map((resource) =>
        isConfig(resource) && targets.includes(resource) ? withKeys(resource, keys) : resource,
      ),
  }));
}

function isMeant({ value: { id, title } }: Config, wanted: string): boolean {
  return id?.toLowerCase() === wanted.toLowerCase() || title === wanted;
}

function withKeys(config: Config, keys: readonly unknown[]): Config {
  const unknown = config.unknown?.filter(({ pointer }) => !pointer.startsWith("/credentials"));
  const value = { ...config.value, credentials: { keys: [...keys] } };
  return { ...config, value, ...(unknown && { unknown }) };
}

function undecided(reading: Reading, wanted: string, found: number): Reading {
  const sets = reading.resources.filter(isKeySet);
  const message = `The keys belong to no configuration: ${found === 0 ? "none has" : `${found} have`} the id or title ${quote(wanted)}.`;
  const run = "--keys-of with the id of one configuration";
  const more = sets.map(({ origin }) =>
    undecidedPart(locationOf(origin), { about: "key", message, run, effect: {} }),
  );
  const resources = reading.resources.filter((resource) => !isKeySet(resource));
  return { ...reading, resources, undecided: [...reading.undecided, ...more] };
}
