/** The options of commands that read files of Terraform and saved responses of the interface. */
import type { ImportOptions } from "../../../import/world-from.ts";
import { booleanOption, type CommandInput, stringOption, stringOptions, UsageError } from "../../command.ts";

export const importOptions = {
  "zone-name": {
    type: "string",
    multiple: true,
    value: "id=domain",
    help: "Domain of a zone, for files that have only its id. May be repeated.",
  },
  "keys-of": {
    type: "string",
    value: "id or title",
    help: "The configuration whose keys are those of key files (JWK Sets, PEM). Default: one of their own.",
  },
  "with-secrets": {
    type: "boolean",
    help: "Read signing keys and values that Terraform marks as sensitive.",
  },
} as const;

export const sourceOption = {
  source: {
    type: "string",
    value: "folder",
    help: "Folder with the .tf files in which the resources of a plan are found. Default: that of the plan.",
  },
} as const;

export const partialOption = {
  partial: {
    type: "boolean",
    help: "Continue although a rule, key or host is undecided; each answer that it could change is marked.",
  },
} as const;

export const hostOption = {
  host: {
    type: "string",
    multiple: true,
    value: "name",
    help: "Host of servers of an OpenAPI document whose URL has none. May be repeated.",
  },
} as const;

/** The hosts of `hostOption`. @throws {UsageError} for text that is no host name */
export function readHosts(input: CommandInput): readonly string[] {
  return stringOptions(input, "host").map(readHost);
}

function readHost(host: string): string {
  if (URL.canParse(`https://${host}/`) && !/[/?#@\\\s]/.test(host)) return host;
  throw new UsageError(`--host must be a host name, such as \`api.example.com\`; found \`${host}\``);
}

/** @throws {UsageError} for a zone name without an id or a domain */
export function readImportOptions(input: CommandInput): ImportOptions {
  const zoneNames = Object.fromEntries(stringOptions(input, "zone-name").map(zoneName));
  const keysOf = stringOption(input, "keys-of");
  return {
    zoneNames,
    withSecrets: booleanOption(input, "with-secrets"),
    ...(keysOf !== undefined && { keysOf }),
  };
}

function zoneName(text: string): readonly [id: string, domain: string] {
  const [, id, domain] = /^([A-Za-z0-9_-]{1,64})=([^=\s]+\.[^=\s]+)$/.exec(text) ?? [];
  if (id !== undefined && domain !== undefined) return [id, domain.toLowerCase()];
  throw new UsageError(
    `--zone-name must be \`<id>=<domain>\`, such as \`z1=example.com\`; found \`${text}\``,
  );
}
