/** A member of a resource without an entry, or an entry without a part, does not compile. */
import { test } from "vitest";
import type { Member, ResourceMembers } from "../../src/schemas/resources.ts";

const same = { also: [], within: "none", imported: true } as const satisfies Member;

test("a kind of resource has an entry for each of its members", () => {
  type Key = ResourceMembers<{ readonly name: string; readonly value: string }>["members"];
  // @ts-expect-error: `value` is missing
  const members: Key = { name: same };
  // @ts-expect-error: `imported` is missing
  const member: Member = { also: [], within: "none" };
  void [members, member];
});
