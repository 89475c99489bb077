/** Types of the schemas equal those of the engine, the feed and the store; the compiler checks this file. */
import { describe, expect, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { MatchOptions, StringMatch } from "../../src/engine/brand/model.ts";
import {
  accountBrandWorld,
  type domainFacts,
  type domainQuery,
  domainQueryCreate,
  type matchOptions,
  type observedDomain,
  type scannedPicture,
  type stringMatch,
} from "../../src/schemas/brand.ts";
import type { DomainRecord } from "../../src/service/brand/domains/feed-record.ts";
import type { ScanRecord } from "../../src/service/brand/logos/scan-record.ts";
import type { StoredRecord } from "../../src/store/definition.ts";
import type { DomainFacts, DomainQueryRecord } from "../../src/store/records/brand.ts";

/** Each type is assignable to the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** A type whose arrays are mutable at any depth, as those of zod are. */
type Mutable<T> = T extends readonly (infer E)[]
  ? Mutable<E>[]
  : T extends object
    ? { [K in keyof T]: Mutable<T[K]> }
    : T;

/** The members of a type that can be `undefined` explicitly, as zod's optional members can. */
type Loose<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };

describe("the schemas of brand protection", () => {
  // The compiler checks that they have the types of the engine, the feed and the store.
  expectTypeOf<Same<z.output<typeof stringMatch>, Mutable<StringMatch>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<z.output<typeof domainFacts>, Required<DomainFacts>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<z.input<typeof observedDomain>, Loose<DomainRecord>>>().toEqualTypeOf<true>();
  expectTypeOf<Same<z.output<typeof matchOptions>, Loose<Mutable<MatchOptions>>>>().toEqualTypeOf<true>();
  type Scan = Omit<z.input<typeof scannedPicture>, "image">;
  expectTypeOf<Same<Scan, Loose<Omit<ScanRecord, "image">>>>().toEqualTypeOf<true>();
  type Parameters = z.output<typeof domainQuery>["parameters"];
  expectTypeOf<Same<Parameters, Loose<Mutable<DomainQueryRecord["parameters"]>>>>().toEqualTypeOf<true>();
  type Members = Exclude<keyof DomainQueryRecord, keyof StoredRecord | "lookback">;
  expectTypeOf<keyof z.output<typeof domainQuery>>().toEqualTypeOf<Members>();

  test("accept the same query in a request and in a world file", () => {
    const query = { tag: "ours", string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] };
    expect(domainQueryCreate.parse(query)).toEqual({ ...query, scan: false, search_lookback: true });
    expect(accountBrandWorld.parse({ queries: [query] })).toEqual({ queries: [query] });
    expect(accountBrandWorld.safeParse({ queries: [{ ...query, search_lookback: true }] }).success).toBe(
      false,
    );
  });
});
