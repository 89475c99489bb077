/** Query parameters in the formats of real clients: repeated, with brackets, or comma-separated. */

/** The first value of a parameter, or undefined. An empty value counts as given. */
export function one(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) ?? undefined;
}

/** All values of an array parameter: `a=1&a=2`, `a[]=1`, `a[0]=1` or `a=1,2`. Undefined when the parameter is missing. */
export function many(query: URLSearchParams, name: string): readonly string[] | undefined {
  const brackets = new RegExp(`^${name}(\\[\\d*\\])?$`);
  const values = [...query].filter(([key]) => brackets.test(key)).flatMap(([, value]) => value.split(","));
  return values.length === 0 ? undefined : values.filter((value) => value !== "");
}
