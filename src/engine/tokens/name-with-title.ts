/** How messages name a rule or a configuration: by its title, with the id beside it. */
import { quote } from "../../errors.ts";

/** The quoted title, with the quoted id in parentheses; the id alone where there is no title. */
export function nameWithTitle({ id, title }: { readonly id: string; readonly title?: string }): string {
  return title === undefined || title === "" ? quote(id) : `${quote(title)} (${quote(id)})`;
}
