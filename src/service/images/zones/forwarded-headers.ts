/** Headers that `origin-auth: "share-publicly"` of the object of `fetch` passes to the origin (`observed`). */

const names = ["authorization", "cookie", "x-sa-date"] as const;
const prefixes = ["x-amz-", "x-ms-", "cf-access-client-"] as const;

/** The headers of a request that are passed on; no others are. */
export function forwardedHeaders(headers: Headers): Readonly<Record<string, string>> {
  const passed = [...headers].filter(
    ([name]) =>
      names.some((removed) => removed === name) || prefixes.some((prefix) => name.startsWith(prefix)),
  );
  return Object.fromEntries(passed);
}
