/** Well-formed requests of extreme size: the last possible page, a problem in every element. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { clientOf, type Json, jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { ruleBody } from "../../support/keys.ts";

describe("the last possible page is empty", () => {
  const lists = [
    "/zones/z1/token_validation/config",
    "/zones/z1/token_validation/rules",
    "/zones/z1/app_service/apps",
    "/accounts/a1/images/v1",
  ];

  test.each(lists)("%s", async (path) => {
    for (const page of [999_999_999_999_999, Number.MAX_SAFE_INTEGER]) {
      const query = `page=${page}&per_page=50`;
      const { result_info, result } = await clientOf(createEdge()).ok("GET", `${path}?${query}`);
      expect(result.images ?? result).toEqual([]);
      expect(result_info).toMatchObject({ page, per_page: 50, count: 0 });
    }
  });

  test.each(lists)("%s, and pages beyond the safe integers", async (path) => {
    for (const page of ["9007199254740992", "9".repeat(400)]) {
      const { result_info, result } = await clientOf(createEdge()).ok("GET", `${path}?page=${page}`);
      expect(result.images ?? result).toEqual([]);
      expect(result_info).toMatchObject({ page: Number.MAX_SAFE_INTEGER, count: 0 });
    }
  });
});

describe("a body with more problems than are reported", () => {
  const client = clientOf(createEdge(), "/zones/z1/token_validation");
  const maxReported = 100;

  async function expectMany(response: Response, first: string): Promise<void> {
    const { errors }: Json = await jsonOf(response.clone());
    await expectFailure(response, { status: 400, code: 10400, pointer: first });
    expect(errors).toHaveLength(maxReported + 1);
    expect(errors.at(-1)).toEqual({
      code: 10400,
      message: "More than 100 problems were found; only the first 100 are reported.",
    });
  }

  test("elements of a wrong type: 400, the first 100 are reported", async () => {
    const response = await client("PATCH", "/config/00000000-0000-4000-8000-000000000000", {
      token_sources: Array.from({ length: 200_000 }, () => 0),
    });
    await expectMany(response, "/token_sources/0");
  });

  test("elements that only the engine rejects: 400, the first 100 are reported", async () => {
    const selector = { exclude: [{ operation_ids: Array.from({ length: 200_000 }, () => "") }] };
    const response = await client("POST", "/rules", ruleBody('http.host eq "a"', { selector }));
    await expectMany(response, "/selector/exclude/0/operation_ids/0");
  });

  test("hosts that cannot match are accepted, and the first 100 are reported", async () => {
    const selector = { include: [{ host: Array.from({ length: 200_000 }, () => "") }] };
    const { messages } = await client.ok("POST", "/rules", ruleBody('http.host eq "a"', { selector }));
    expect(messages).toHaveLength(maxReported + 1);
    expect(messages[0].source.pointer).toBe("/selector/include/0/host/0");
    expect(messages.at(-1).message).toMatch(/^More than 100 hosts/);
  });

  test("exactly 100 problems are reported without a mention of more", async () => {
    const response = await client("PATCH", "/config/00000000-0000-4000-8000-000000000000", {
      token_sources: Array.from({ length: maxReported }, () => 0),
    });
    const { errors } = await jsonOf(response);
    expect(errors.map((e: Json) => e.source.pointer)).toEqual(
      Array.from({ length: maxReported }, (_, i) => `/token_sources/${i}`),
    );
  });

  test("ignored members are accepted, and the first 100 are reported", async () => {
    const include = Array.from({ length: 130_000 }, () => ({ a: 0 }));
    const { result, messages } = await client.ok(
      "POST",
      "/rules",
      ruleBody('http.host eq "a"', { selector: { include } }),
    );
    expect(result.selector.include).toHaveLength(include.length);
    expect(messages).toHaveLength(maxReported + 1);
    expect(messages[0].source.pointer).toBe("/selector/include/0/a");
    expect(messages.at(-1).message).toMatch(/^There are more than 100 ignored members/);
  });
});
