/** A member of a resource without a help or a schema does not compile. */
import { test } from "vitest";
import { z } from "zod";
import { type Member, member, resource, shapeOf } from "../../src/schemas/member.ts";

const name = member("Its name.", z.string(), { change: "none", answer: z.literal("it") });
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

test("a kind of resource has an owner and members", () => {
  // @ts-expect-error: the members are missing
  resource("zone");
  // @ts-expect-error: a member without a schema
  resource("zone", { name: { help: "Its name." } });
});

test("a shape has the members of a place with the schemas of that place", () => {
  const kind = resource("zone", { name });
  const answer: z.ZodLiteral<"it"> = shapeOf(kind, "answer").name;
  // @ts-expect-error: a change does not have it
  const change = shapeOf(kind, "change").name;
  void [answer, change];
});
