/** Names of the provider that are not supported get a message of their own. */
import { expect, test } from "vitest";
import { isProviderField } from "../../../../src/engine/tokens/expression/provider-names.ts";

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
  expect(isProviderField(name)).toBe(name !== "icmp");
});

test.each(["", "http", "host", "my.cf.zone", "Concat"])("`%s` is no name of the provider", (name) => {
  expect(isProviderField(name)).toBe(false);
});
