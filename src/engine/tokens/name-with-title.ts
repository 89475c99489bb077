/** How messages name a rule or a configuration: by its id, with the title beside it. */
import { quote } from "../../errors.ts";

/** The quoted id, with the quoted title in parentheses where there is one. */
export function nameWithTitle({ id, title }: { readonly id: string; readonly title?: string }): string {
  return title === undefined || title === "" ? quote(id) : `${quote(id)} (${quote(title)})`;
}
