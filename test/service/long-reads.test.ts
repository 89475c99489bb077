/** Lists that may look at many records are long reads of the store. */
import { expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/port.ts";
import { clientOf } from "../support/client.ts";

/** A memory store, and whether its last reads were long. */
function recordingStore() {
  const memory = createMemoryStore();
  const long: boolean[] = [];
  const store: Store = {
    ...memory,
    read: (work, options) => {
      long.push(options?.long ?? false);
      return memory.read(work, options);
    },
  };
  return { store, long };
}

const matches = "/intel/v2/brand-protection/domain/matches?query_id=1";
const logos = "/intel/v2/brand-protection/logo/matches?query_id=1";

test.each([
  [matches, false],
  [`${matches}&offset=10000`, false],
  [`${matches}&offset=10001`, true],
  [`${matches}&domain_search=a`, true],
  [`${matches}&query_id=2`, true],
  [`${logos}`, false],
  [`${logos}&offset=10001`, true],
  ["/images/v1", false],
  ["/images/v1?page=200", true],
  ["/images/v2", false],
  ["/images/v2?meta.a[eq]=b", true],
])("%s is a long read: %s", async (path, isLong) => {
  const { store, long } = recordingStore();
  const client = clientOf(createEdge({ store, world: { accounts: [{ id: "a1" }] } }), "/accounts/a1");
  const pattern = { pattern: "paypal", max_edit_distance: 0 };
  for (const tag of ["s", "t"])
    await client.ok("POST", "/intel/v2/brand-protection/domain/queries", { tag, string_matches: [pattern] });
  const image_data =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
  const logo = { tag: "s", similarity_threshold: 0.9, image_data };
  if (path.startsWith(logos)) await client.ok("POST", "/intel/v2/brand-protection/logo/queries", logo);
  long.length = 0;
  await client.ok("GET", path);
  expect(long.includes(true)).toBe(isLong);
});
