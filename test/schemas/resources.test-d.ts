/** A kind of resource or a member without a part does not compile. */
import { test } from "vitest";
import { z } from "zod";
import { type Member, member, type Resource, resource, shapeOf } from "../../src/schemas/member.ts";

const name = member("Its name.", z.string(), { change: "none", answer: z.literal("it") });
const table = { owner: "zone", ids: "chosen", members: { name }, answers: [], saved: [] } as const;

test("a member has a help and a schema at every place", () => {
  // @ts-expect-error: the schema is missing
  member("Its name.");
  const { help, ...rest } = name;
  // @ts-expect-error: `help` is missing
  const entry: Member = rest;
  // @ts-expect-error: `size` is no part of an entry
  member("Its name.", z.string(), { size: 1 });
  void [help, entry];
});

test("a kind of resource has all parts of a table", () => {
  // @ts-expect-error: `terraform` is missing
  const kind: Resource = table;
  void kind;
});

test("a shape has the members of a place with the schemas of that place", () => {
  const kind = resource({ ...table, terraform: [] });
  const answer: z.ZodLiteral<"it"> = shapeOf(kind, "answer").name;
  // @ts-expect-error: a change does not have it
  const change = shapeOf(kind, "change").name;
  void [answer, change];
});
