/** The facts that `explain language` prints, evaluated; and the words of both languages. */
import { describe, expect, test } from "vitest";
import { type FactExample, languageFacts } from "../../../src/cli/commands/explain/language-facts.ts";
import { mintKey, mintToken } from "../../../src/entries/testing.ts";
import { compileZone } from "../../../src/entries/tokens.ts";
import { edgeproof } from "../../support/cli.ts";

const key = await mintKey("ES256");
const exp = { valid: 4_102_444_800, expired: 1_000_000_000 };

/** The value of an expression: by a rule that acts when it is false (token rules), or true (custom rules). */
async function valueIn({ language, expression, token, headers }: FactExample): Promise<boolean | "error"> {
  const isToken = language === "token";
  const rule = { id: "r", action: "block", enabled: true, expression } as const;
  const phase = "http_request_firewall_custom" as const;
  const zone = {
    configs: [
      {
        id: "idp",
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [key.jwk] },
      },
    ],
    rules: isToken ? [{ ...rule, selector: { include: [{ host: ["example.com"] }] } }] : [],
    rulesets: isToken ? [] : [{ id: "custom", kind: "zone", phase, rules: [rule] } as const],
  } as const;
  const compiled = await compileZone(zone).catch((error: Error) => error.message);
  if (typeof compiled === "string") {
    expect(compiled).toContain("expression");
    return "error";
  }
  const authorization = token && (await mintToken(key, { exp: exp[token.state], ...token.claims }));
  const verdict = await compiled.evaluate({
    method: "GET",
    url: "https://example.com/a/b",
    headers: { ...headers, ...(authorization && { authorization }) },
  });
  expect(["allow", "block"]).toContain(verdict.action);
  return (verdict.action === "block") !== isToken;
}

describe.each(languageFacts)("$fact", ({ examples }) => {
  test.each(examples.map((example) => [`${example.language}: ${example.expression}`, example] as const))(
    "%s",
    async (_name, example) => {
      expect(await valueIn(example)).toBe(example.is);
    },
  );
});

test("a word is explained in each language that has it", async () => {
  const { out } = await edgeproof(["explain", "lower", "--json"]);
  expect(JSON.parse(out).map((entry: { language: string }) => entry.language)).toEqual(["token", "custom"]);
  expect((await edgeproof(["explain", "is_jwt_present"])).out).toBe(
    "function of token validation rules: is_jwt_present(literal String)\nThe request has a token of the configuration, valid or not.\n",
  );
});

test("a misspelled word is rejected with the nearest one", async () => {
  expect(await edgeproof(["explain", "is_jwt_vaild"])).toMatchObject({
    code: 2,
    err: "edgeproof: unknown rule or word `is_jwt_vaild`; did you mean `is_jwt_valid`?\n",
  });
});
