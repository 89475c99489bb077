/** Names of the provider that are not supported get a message of their own. */
import { expect, test } from "vitest";
import { providerKind } from "../../../../src/engine/tokens/expression/provider-names.ts";

const functions =
  "cidr cidr6 concat decode_base64 encode_base64 has_key has_value is_timed_hmac_valid_v0 join lookup_json_integer " +
  "lookup_json_string regex_replace remove_bytes remove_query_args sha256 split substring to_string url_decode uuidv4 wildcard_replace";

test.each(functions.split(" "))("%s is a function of the provider", (name) => {
  expect(providerKind(name)).toBe("function");
  expect(providerKind(`${name}_`)).toBeUndefined();
});

test.each([
  "http.referer",
  "ip.src",
  "cf.zone.name",
  "raw.http",
  "tcp.dstport",
  "udp.srcport",
  "icmp",
  "icmp.type",
  "ssl",
])("%s is a field of the provider, if it has a dot", (name) => {
  expect(providerKind(name)).toBe(name === "icmp" ? undefined : "field");
});

test.each(["", "http", "host", "my.cf.zone", "Concat"])("`%s` is no name of the provider", (name) => {
  expect(providerKind(name)).toBeUndefined();
});
