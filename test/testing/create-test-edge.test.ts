/** A test edge gives the same answers in every run, and its clock is the tests' own. */
import { createTestClock, createTestEdge, mintKey, testNow } from "edgeproof/testing";
import { expect, test } from "vitest";
import { clientOf } from "../support/client.ts";

const keys = [(await mintKey("ES256")).jwk];

async function createConfig() {
  const edge = createTestEdge();
  const body = {
    title: "idp",
    description: "",
    token_type: "JWT",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: { keys },
  };
  return clientOf(edge, "/zones/z1").ok("POST", "/token_validation/config", body);
}

test("two edges answer the same, with ids that can be read and the fixed time", async () => {
  const [one, other] = [await createConfig(), await createConfig()];
  expect(one).toEqual(other);
  expect(one.result.id).toMatch(/^00000000-0000-4000-8000-0{10}\d\d$/);
  expect(Date.parse(one.result.created_at)).toBe(testNow);
});

test("the clock is set and moved, and refuses what is no time", () => {
  const { clock } = createTestEdge({ now: new Date(0) });
  clock.advance(5);
  expect(clock()).toBe(5);
  clock.set(new Date(10));
  clock.advance(-1);
  expect(clock()).toBe(9);
  expect(() => clock.set(Number.NaN)).toThrow(RangeError);
  expect(() => createTestClock(new Date("never"))).toThrow(/A time is/);
  expect(clock()).toBe(9);
});
