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
