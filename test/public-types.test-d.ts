/** Promises of the types to users; checked by the compiler (`npm run check:types`). */
import { type Code, type CodedDiagnostic, createEdge, type Edge, type Store } from "edgeproof";
import { type Facts, type Validation, validateApp } from "edgeproof/proxy";
import { mintKey } from "edgeproof/testing";
import { compileZone, type JwtKey, type Reason, type Verdict } from "edgeproof/tokens";
import { describe, expectTypeOf, test } from "vitest";

describe("tokens", () => {
  test("a zone needs no clock, and a verdict has one of five actions", async () => {
    const zone = await compileZone({ configs: [], rules: [] });
    expectTypeOf(zone.evaluate).returns.resolves.toEqualTypeOf<Verdict>();
    expectTypeOf<Verdict["action"]>().toEqualTypeOf<"allow" | "log" | "block" | "challenge" | "undecided">();
    expectTypeOf<Reason>().toExtend<string>();
  });

  test("an Elliptic Curve key cannot have an RSA algorithm", () => {
    // @ts-expect-error: RS256 goes with kty RSA
    const key: JwtKey = { kty: "EC", crv: "P-256", alg: "RS256", kid: "k", x: "", y: "" };
    expectTypeOf(key).toExtend<JwtKey>();
  });

  test("a minted key is a configuration's key", () => {
    expectTypeOf(mintKey).returns.resolves.toHaveProperty("jwk").toEqualTypeOf<JwtKey>();
    // @ts-expect-error: EdDSA is not supported
    void (() => mintKey("EdDSA"));
  });
});

describe("edge", () => {
  test("every option is optional, unknown ones are mistakes", () => {
    expectTypeOf(createEdge).returns.toEqualTypeOf<Edge>();
    // @ts-expect-error: there are two profiles
    void (() => createEdge({ profile: "real" }));
    // @ts-expect-error: a world has no such member
    void (() => createEdge({ world: { zone: [] } }));
  });

  test("a store's records are typed by collection", () => {
    const use = (store: Store) => store.read((tx) => tx.get("token_rules", "z1", "r1"));
    expectTypeOf(use).returns.resolves.exclude<undefined>().toHaveProperty("position").toBeNumber();
    // @ts-expect-error: there is no such collection
    void ((store: Store) => store.read((tx) => tx.get("rules", "z1", "r1")));
  });
});

test("codes are a closed union of numbers", () => {
  expectTypeOf<CodedDiagnostic["code"]>().toEqualTypeOf<Code>();
  expectTypeOf<11002>().toExtend<Code>();
  expectTypeOf<11003>().not.toExtend<Code>();
});

test("proxy: facts are optional, every fact too", () => {
  expectTypeOf(validateApp).toBeCallableWith({});
  expectTypeOf(validateApp).returns.toEqualTypeOf<Validation>();
  expectTypeOf<Record<never, never>>().toExtend<Facts>();
});
