/** How messages name a rule or a configuration: by its title, with the id beside it. */
import { quote } from "../../errors.ts";
import type { ZoneInput } from "./zone/zone-input.ts";

/** The title that the interface gives to rules and configurations without one (`observed`); it tells nothing. */
export const defaultTitle = "Untitled";

/** Whether a title says which part it is. */
export function isTelling(title: string | undefined): title is string {
  return title !== undefined && title !== "" && title !== defaultTitle;
}

/** The title; the id where there is none. For parts whose zone is not known, else see `createPartNames`. */
export function titleOrId({ id, title }: TitledPart): string {
  return isTelling(title) ? title : id;
}

interface TitledPart {
  readonly id: string;
  readonly title?: string | undefined;
}

/** The quoted title, with the quoted id in parentheses; the id alone where there is no title. */
export function nameWithTitle({ id, title }: TitledPart): string {
  return isTelling(title) ? `${quote(title)} (${quote(id)})` : quote(id);
}

/** A part of a zone, by the ids that say what it is. */
export interface ZonePart {
  /** Id of a rule; of a custom rule when there is a ruleset. */
  readonly rule?: string;
  readonly ruleset?: string;
  readonly operation?: string;
  readonly config?: string;
}

/** The kind of the part with its title, where it has one, and its id. */
export function nameOfPart(
  { rules, configs, operations }: Pick<ZoneInput, "rules" | "configs" | "operations">,
  { rule, ruleset, operation, config }: ZonePart,
): string {
  if (ruleset !== undefined) return `custom rule ${rule} of ruleset ${ruleset}`;
  if (rule !== undefined) return `rule ${nameIn(rules, rule)}`;
  if (config !== undefined) return `configuration ${nameIn(configs, config)}`;
  const found = operations?.find(({ operation_id: id }) => id === operation);
  const title = found && `${found.method} ${found.host}${found.endpoint}`;
  return `operation ${nameWithTitle({ id: operation ?? "", title })}`;
}

function nameIn(parts: readonly { readonly id: string; readonly title?: string }[], id: string): string {
  return nameWithTitle(parts.find((part) => part.id === id) ?? { id });
}
