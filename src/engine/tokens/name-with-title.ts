/** How messages name a rule or a configuration: by its title, with the id beside it. */
import { quote } from "../../errors.ts";

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
