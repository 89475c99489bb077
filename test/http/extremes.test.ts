/** Requests that are legal in form and extreme in size. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { clientOf } from "../support/client.ts";
import { expectFailure } from "../support/failure.ts";

describe("the last page that can be asked for is empty", () => {
  test.each([
    "/zones/z1/token_validation/config",
    "/zones/z1/token_validation/rules",
    "/zones/z1/app_service/apps",
    "/accounts/a1/images/v1",
  ])("%s", async (path) => {
    const { result_info, result } = await clientOf(createEdge()).ok(
      "GET",
      `${path}?page=999999999999999&per_page=50`,
    );
    expect(result.images ?? result).toEqual([]);
    expect(result_info).toMatchObject({ page: 999_999_999_999_999, per_page: 50, count: 0 });
  });

  test("a number of more digits is refused for what it is", async () => {
    const response = await clientOf(createEdge())(
      "GET",
      "/zones/z1/token_validation/rules?page=1000000000000000",
    );
    await expectFailure(response, { status: 400, code: 10400, message: /at most 15 digits/ });
  });
});
