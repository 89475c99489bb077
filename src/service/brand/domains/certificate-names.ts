/** Names in records of certificate transparency: one record has all names of a certificate. */
import { isJsonObject, type JsonObject } from "../../../core/json-value.ts";

/**
 * The names of a certificate, each once; undefined for a value that is not such a record. Known are the members of certstream
 * (`data.leaf_cert.all_domains`), of Cert Spotter (`dns_names`) and of crt.sh (`name_value`, one name a line).
 *
 * @example
 * ```ts
 * certificateNames({ dns_names: ["example.com", "*.example.com"] }); // => ["example.com", "*.example.com"]
 * ```
 */
export function certificateNames(record: unknown): readonly string[] | undefined {
  if (!isJsonObject(record)) return undefined;
  const names = namesOf(record);
  return names === undefined ? undefined : [...new Set(names)];
}

function namesOf(record: JsonObject): readonly string[] | undefined {
  const { data, dns_names: dnsNames, name_value: nameValue } = record;
  if (isJsonObject(data) && isJsonObject(data.leaf_cert)) return stringsOf(data.leaf_cert.all_domains);
  if (dnsNames !== undefined) return stringsOf(dnsNames);
  return typeof nameValue === "string" ? nameValue.split("\n").filter((name) => name !== "") : undefined;
}

/** The elements of an array of strings; undefined for another value. */
function stringsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((name) => typeof name === "string") ? value : undefined;
}
