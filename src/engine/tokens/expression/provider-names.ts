/** Names of the provider's language that are not supported here, so that messages can say so (`observed`). */

/** Starts of the provider's fields; `http.` has many more than are supported. */
const fieldStarts = ["http.", "ip.", "cf.", "raw.", "tcp.", "udp.", "icmp.", "ssl"];

/** The provider's functions that are not supported. */
const functions = [
  "cidr",
  "cidr6",
  "concat",
  "decode_base64",
  "encode_base64",
  "has_key",
  "has_value",
  "is_timed_hmac_valid_v0",
  "join",
  "lookup_json_integer",
  "lookup_json_string",
  "regex_replace",
  "remove_bytes",
  "remove_query_args",
  "sha256",
  "split",
  "substring",
  "to_string",
  "url_decode",
  "uuidv4",
  "wildcard_replace",
];

/** Whether a name begins like a field of the provider, or is a function of it; undefined when it is neither. */
export function providerKind(name: string): "field" | "function" | undefined {
  if (functions.includes(name)) return "function";
  return fieldStarts.some((start) => name.startsWith(start)) ? "field" : undefined;
}
