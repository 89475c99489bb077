/** The names of metadata filters; a file of its own, so that schemas load no evaluation of paths. */

/** Names that can only be meant as filters; those in another case are rejected, not ignored. */
const filterName = /^meta(?:$|[.[])/i;

/** Whether a query parameter is meant as a filter. */
export function isFilterName(name: string): boolean {
  return filterName.test(name);
}
