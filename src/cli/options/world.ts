/** Options of commands that read a world file, files of Terraform or saved responses of the interface. */
import { isUrl } from "../../core/idna/url.ts";
import { type ZonePlan, zonePlans } from "../../engine/tokens/rulesets/input/zone-facts.ts";
import { UsageError } from "../command.ts";
import { choice, file, flag, folder, list, outFile, text, type ValuesOf } from "../declare.ts";
import { acceptOptions, jsonOption } from "./output.ts";

export const importOptions = {
  "zone-name": list(
    "id=domain",
    "Domain of a zone, for files that have only its id. May be repeated.",
    readZoneName,
  ),
  plan: choice(
    Object.keys(zonePlans) as ZonePlan[],
    "Plan of the zones whose plan no file has. It does not replace one that a file has. Default: unknown.",
  ),
  "keys-of": text(
    "id or title",
    "The configuration whose keys are those of key files (JWK Sets, PEM). Default: one of their own.",
  ),
  "with-secrets": flag("Read signing keys, shared secrets and values that Terraform marks as sensitive."),
};

/** The values that the readers of worlds use. */
export type ImportValues = ValuesOf<typeof importOptions> & {
  readonly source?: string | undefined;
  readonly profile?: "spec" | "provider" | undefined;
};

function readZoneName(word: string, name: string): { readonly id: string; readonly domain: string } {
  const [, id, domain] = /^([A-Za-z0-9_-]{1,64})=([^=\s]+)$/.exec(word) ?? [];
  if (id !== undefined && domain?.slice(1, -1).includes(".")) return { id, domain: domain.toLowerCase() };
  if (domain !== undefined)
    throw new UsageError(
      `${name} needs a domain with a dot, such as \`${id}=example.com\`; found \`${word}\``,
    );
  throw new UsageError(`${name} must be \`<id>=<domain>\`, such as \`z1=example.com\`; found \`${word}\``);
}

export const worldOption = {
  world: file(
    "World file: accounts, zones and API tokens with their data; or a Terraform file, or saved responses.",
  ),
  ...importOptions,
};

/** The end of the message of commands that need `--world`. */
export const worldMeaning = "it must name a world file";

export const sourceOption = {
  source: folder(
    "Folder with the .tf files in which the resources of a plan are found. Default: that of the plan.",
  ),
};

export const partialOption = {
  partial: flag(
    "Continue although a rule, key or host is undecided; each answer that it could change is marked.",
  ),
};

export const hostOption = {
  host: list(
    "name",
    "Host of servers of an OpenAPI document whose URL has none. May be repeated.",
    (host, name) => {
      if (isUrl(`https://${host}/`) && !/[/?#@\\\s]/.test(host)) return host;
      throw new UsageError(`${name} must be a host name, such as \`api.example.com\`; found \`${host}\``);
    },
  ),
};

export const profileOption = {
  profile: choice(
    ["spec", "provider"],
    "Set of defaults: the specification's (spec) or the real service's (provider). Default: that of the world file, or spec.",
  ),
};

export const zonesOption = { zone: text("id", "Only this zone. Default: all zones.") };

/** The options of commands that make a world. */
export const madeWorldOptions = {
  out: outFile("World file to write. Default: standard output."),
  partial: {
    ...partialOption.partial,
    help: "Write the world although a part of it is undecided. The file lists these parts, and commands treat them as undecided.",
  },
  ...acceptOptions,
  ...jsonOption,
};
