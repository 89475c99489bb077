/** The types of options: a misspelled option, and a wrong type of a value, do not compile. */
import { expectTypeOf, test } from "vitest";
import type { replay } from "../../src/cli/declarations/replay.ts";
import { connect, declare, flag, integer, type OptionsOf, required, text } from "../../src/cli/declare.ts";

const greet = declare({
  name: "greet",
  summary: "Greet.",
  about: ["Greets."],
  options: {
    "upper-case": flag("In capital letters."),
    times: integer("number", { min: 1 }, "How often."),
    who: required(text("name", "The person."), "it must be a name"),
  },
  exits: { 0: "Done." },
  examples: ["edgeproof greet"],
  // @ts-expect-error the option does not exist
  conflict: ({ upercase }) => upercase,
});

test("values have the types of their options, by their names in camel case", () => {
  expectTypeOf<OptionsOf<typeof greet>>().toEqualTypeOf<{
    readonly upperCase: boolean;
    readonly times: number | undefined;
    readonly who: string;
  }>();
  expectTypeOf<OptionsOf<typeof replay>["as"]>().toEqualTypeOf<"valid" | "missing" | "expired" | undefined>();
  expectTypeOf<OptionsOf<typeof replay>["allowChanges"]>().toEqualTypeOf<number>();
});

test("an implementation reads only options of its declaration, with their types", () => {
  connect(greet, async () => ({ run: async ({ options }) => options.times ?? 0 }));
  // @ts-expect-error the option does not exist
  connect(greet, async () => ({ run: async ({ options }) => options.tims ?? 0 }));
  // @ts-expect-error the value is a number
  connect(greet, async () => ({ run: async ({ options: _ }: { options: { times: string } }) => 0 }));
});
