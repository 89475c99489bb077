/** Ids of a world that are not UUIDs: the rejection names the place, and its fix makes the world valid. */
import { InvalidInputError } from "edgeproof";
import { applyPatch } from "edgeproof/proxy";
import { createTestEdge } from "edgeproof/testing";
import { expect, test } from "vitest";
import { mintKey } from "../../src/testing/tokens/mint.ts";

const key = await mintKey("ES256");
const longId = "o".repeat(65);
const known = "51231d16-01f1-48e3-93f8-91c99e81288e";
const source = 'http.request.headers["authorization"][0]';
const config = (id: string) => ({ id, token_sources: [source], credentials: { keys: [key.jwk] }, title: id });
const rule = (id: string, expression: string) => ({
  id,
  title: id,
  description: "",
  action: "block",
  expression,
  selector: { include: [{ host: ["api.example.com"] }], exclude: [{ operation_ids: ["kept", longId] }] },
});
const operation = (id: string) => ({
  operation_id: id,
  method: "GET",
  host: "api.example.com",
  endpoint: `/${id.length}`,
});
const world = {
  zones: [
    {
      id: "0".repeat(32),
      name: "example.com",
      token_validation: {
        configs: [config("idp"), config('a "b"'), config(known)].map(({ title, ...rest }) => {
          return { ...rest, title: title.slice(0, 5), description: "" };
        }),
        rules: [
          rule("guard", String.raw`is_jwt_valid("idp") or is_jwt_present("a \"b\"") and is_jwt_valid("idp")`),
          rule(known, `is_jwt_valid("${known}")`),
        ],
        operations: [operation(longId), operation("kept")],
      },
    },
  ],
};

async function problemsOf(input: unknown) {
  try {
    await createTestEdge({ world: input as never });
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.problems;
    throw error;
  }
}

test("an id that is not a UUID is rejected with its place, and one fix makes the world valid", async () => {
  const problems = await problemsOf(world);
  const at = "/zones/0/token_validation";
  expect(problems.map(({ pointer }) => pointer).sort()).toEqual([
    `${at}/configs/0/id`,
    `${at}/configs/1/id`,
    `${at}/operations/0/operation_id`,
    `${at}/rules/0/id`,
  ]);
  const found = problems.find(({ pointer }) => pointer === `${at}/configs/0/id`);
  expect(found?.message).toMatch(
    /must be a UUID; found the string `idp`\. Replace it by `[0-9a-f-]{36}`, also in the rules that refer to it\.$/,
  );
  for (const { fix = [] } of problems) {
    const fixed = applyPatch(world, fix) as typeof world;
    expect(await problemsOf(fixed)).toEqual([]);
    const { configs, rules, operations } = fixed.zones[0]!.token_validation;
    const [idp, other] = configs.map(({ id }) => id);
    expect(rules[0]?.expression).toBe(
      `is_jwt_valid("${idp}") or is_jwt_present("${other}") and is_jwt_valid("${idp}")`,
    );
    expect(rules[1]).toEqual({
      ...world.zones[0]?.token_validation.rules[1],
      selector: {
        ...rules[1]?.selector,
        exclude: [{ operation_ids: ["kept", operations[0]?.operation_id] }],
      },
    });
  }
});

test("the fix is the same each time", async () => {
  const [first, other] = [await problemsOf(world), await problemsOf(structuredClone(world))];
  expect(first).toEqual(other);
});
