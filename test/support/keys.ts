/** One key of each algorithm, minted once for a test file. */
import { type MintedKey, mintKey } from "../../src/testing/tokens/mint.ts";

export interface TestKeys {
  readonly rs256: MintedKey;
  readonly ps256: MintedKey;
  readonly es256: MintedKey;
  readonly es384: MintedKey;
}

let minted: Promise<TestKeys> | undefined;

export function testKeys(): Promise<TestKeys> {
  minted ??= mintAll();
  return minted;
}

async function mintAll(): Promise<TestKeys> {
  const [rs256, ps256, es256, es384] = await Promise.all([
    mintKey("RS256"),
    mintKey("PS256"),
    mintKey("ES256"),
    mintKey("ES384"),
  ]);
  return { rs256, ps256, es256, es384 };
}

/** Bodies of valid creates. */
export function configBody(keys: readonly MintedKey[], change: object = {}): object {
  return {
    title: "IdP",
    description: "the identity provider",
    token_type: "JWT",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys: keys.map((key) => key.jwk) },
    ...change,
  };
}

export function ruleBody(expression: string, change: object = {}): object {
  return {
    title: "Rule",
    description: "a rule",
    action: "block",
    enabled: true,
    expression,
    selector: { include: [{ host: ["api.example.com"] }] },
    ...change,
  };
}
