/** Names of the provider's language that are not supported here, so that messages can say so (`observed`). */

/** Starts of the provider's fields; `http.` has many more than are supported. */
const fieldStarts = ["http.", "ip.", "cf.", "raw.", "tcp.", "udp.", "icmp.", "ssl"];

/** Whether a name begins like a field of the provider. */
export function isProviderField(name: string): boolean {
  return fieldStarts.some((start) => name.startsWith(start));
}
