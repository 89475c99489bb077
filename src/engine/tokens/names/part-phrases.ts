/** How sentences name a part of a zone: its kind, and its title or another name. */
import { nameWithTitle } from "../name-with-title.ts";
import { createPartNames, type NamedParts } from "./part-names.ts";

/** A part of a zone, by the ids that say what it is. */
export interface ZonePart {
  /** Id of a rule; of a custom rule when there is a ruleset. */
  readonly rule?: string;
  readonly ruleset?: string;
  readonly operation?: string;
  readonly config?: string;
}

interface Zone extends NamedParts {
  readonly operations?:
    | readonly {
        readonly operation_id: string;
        readonly method: string;
        readonly host: string;
        readonly endpoint: string;
      }[]
    | undefined;
}

/** Creates a function that names the parts of a zone. */
export function createPartPhrases(zone: Zone): (part: ZonePart) => string {
  const { customPaths } = createPartNames(zone);
  return ({ rule, ruleset, operation, config }) => {
    if (ruleset !== undefined) return customPaths.phraseOf(`${ruleset}/${rule}`);
    if (rule !== undefined) return `rule ${nameIn(zone.rules, rule)}`;
    if (config !== undefined) return `configuration ${nameIn(zone.configs, config)}`;
    const found = zone.operations?.find(({ operation_id: id }) => id === operation);
    const title = found && `${found.method} ${found.host}${found.endpoint}`;
    return `operation ${nameWithTitle({ id: operation ?? "", title })}`;
  };
}

function nameIn(
  parts: readonly { readonly id: string; readonly title?: string | undefined }[],
  id: string,
): string {
  return nameWithTitle(parts.find((part) => part.id === id) ?? { id });
}
