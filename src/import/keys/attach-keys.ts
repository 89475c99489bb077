/** Gives the keys of key files to a configuration of another file. */
import type { Placed } from "../../core/diagnostic.ts";
import { runCommand } from "../../core/text/run-command.ts";
import { counted, quote } from "../../errors.ts";
import { derivedValue } from "../import-rules.ts";
import { locationOf, startOf } from "../origin.ts";
import { emptyReading, type Reading, type Resource, type ResourceOf } from "../reading.ts";
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
 * @param file the first file
 */
export function attachKeys(readings: readonly Reading[], wanted: string, file: string): readonly Reading[] {
  const resources = readings.flatMap((reading) => reading.resources);
  const sets = resources.filter(isKeySet);
  // Several files can have one configuration, and one file of keys can be given twice.
  const configs = resources.filter(isConfig).filter((resource) => !isKeySet(resource));
  const targets = configs.filter((resource) => isMeant(resource, wanted));
  // The option of a project with several worlds is of the world that has the configuration.
  if (sets.length === 0) return targets.length === 0 ? readings : [...readings, withoutKeys(file, wanted)];
  const count = new Set(targets.map((target) => namesOf(target)[0])).size;
  if (count !== 1) {
    const have = count === 0 ? "none has" : `${count} have`;
    const message = `The keys belong to no configuration: ${have} the id or title ${quote(wanted)}; ${describeConfigs(configs)}.`;
    return readings.map((reading) => undecided(reading, message));
  }
  const given = sets.flatMap(({ value }) => value.credentials?.keys ?? []);
  const keys = [...new Map(given.map((key) => [JSON.stringify(key), key])).values()];
  return readings.map((reading) => ({
    ...reading,
    derived: [...reading.resources.filter(isKeySet).map((set) => givenKeys(set, wanted)), ...reading.derived],
    resources: reading.resources
      .filter((resource) => !isKeySet(resource))
      .map((resource) =>
        isConfig(resource) && targets.includes(resource) ? withKeys(resource, keys) : resource,
      ),
  }));
}

function givenKeys({ origin, value }: Config, wanted: string): Placed {
  const keys = counted(value.credentials?.keys.length ?? 0, "key is", "keys are");
  return derivedValue(origin, `${keys} for the configuration ${quote(wanted)}, as the option says.`);
}

function isMeant({ value: { id, title } }: Config, wanted: string): boolean {
  return id?.toLowerCase() === wanted.toLowerCase() || title === wanted;
}

function withKeys(config: Config, keys: readonly unknown[]): Config {
  const unknown = config.unknown?.filter(({ pointer }) => !pointer.startsWith("/credentials"));
  const value = { ...config.value, credentials: { keys: [...keys] } };
  return { ...config, value, ...(unknown && { unknown }) };
}

/** The number of configurations in a message. `chosen` */
const maxListed = 5;

function describeConfigs(configs: readonly Config[]): string {
  const names = [
    ...new Set(
      configs.map(({ value: { id, title } }) => [quote(id ?? ""), title && `(${title})`].join(" ").trim()),
    ),
  ];
  if (names.length === 0) return "the files have no configuration";
  const more = names.length > maxListed ? ", ..." : "";
  return `the configurations are ${names.slice(0, maxListed).join(", ")}${more}`;
}

/** The keys that the caller has meant are missing. */
function withoutKeys(file: string, wanted: string): Reading {
  const message = `No file has keys for the configuration ${quote(wanted)}: a JWK Set or PEM is expected.`;
  const run = `${runCommand} world keys <issuer>`;
  return {
    ...emptyReading,
    undecided: [undecidedPart(startOf(file), { about: "key", message, run, effect: {} })],
    run,
  };
}

function undecided(reading: Reading, message: string): Reading {
  const sets = reading.resources.filter(isKeySet);
  const run = `${runCommand} world from <file...> --keys-of <id>`;
  const more = sets.map(({ origin }) =>
    undecidedPart(locationOf(origin), { about: "key", message, run, effect: {} }),
  );
  const resources = reading.resources.filter((resource) => !isKeySet(resource));
  return { ...reading, resources, undecided: [...reading.undecided, ...more] };
}
