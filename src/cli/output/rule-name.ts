/** How the results of commands name a rule, a configuration or an operation: the title, then the id. */
export function titledRule(id: string, title: string | undefined): string {
  return title ? `${title} (${id})` : id;
}
