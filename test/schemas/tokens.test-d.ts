/** The schemas of token validation and the engine's model are the same types; checked by the compiler. */
import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { Operation, Selector, ShownKey, TokenRule } from "../../src/engine/tokens/model.ts";
import type {
  jwtKey,
  RuleCreate,
  TokenValidationWorld,
  tokenConfig,
  tokenRule,
} from "../../src/schemas/tokens.ts";
import type { ShownConfig } from "../../src/service/tokens/configs.ts";
import type { TokenRuleRecord } from "../../src/store/records/tokens.ts";
import type { Plain } from "../support/model-type.ts";

type Value<S extends z.ZodType> = Plain<z.output<S>>;

test("a key in responses is the engine's key without a secret", () => {
  expectTypeOf<Value<typeof jwtKey>>().toEqualTypeOf<Plain<ShownKey>>();
});

test("a rule and a configuration in responses are the stored records without scope and order", () => {
  type ShownRule = Plain<Omit<TokenRuleRecord, "scope" | "position">>;
  expectTypeOf<Value<typeof tokenRule>>().toEqualTypeOf<ShownRule>();
  type Shown = Plain<Omit<ShownConfig, "scope" | "sequence">>;
  expectTypeOf<Value<typeof tokenConfig>>().toEqualTypeOf<Shown>();
});

test("the body of a create and the world file have the engine's rule and operation", () => {
  expectTypeOf<Plain<Omit<RuleCreate, "description">>>().toEqualTypeOf<
    Plain<Required<Omit<TokenRule, "id">>>
  >();
  type WorldOperations = Plain<NonNullable<TokenValidationWorld["operations"]>>;
  expectTypeOf<WorldOperations[number]>().toEqualTypeOf<Plain<Operation>>();
  type WorldRules = Plain<NonNullable<TokenValidationWorld["rules"]>>;
  expectTypeOf<WorldRules[number]["selector"]>().toEqualTypeOf<Plain<Selector>>();
});
