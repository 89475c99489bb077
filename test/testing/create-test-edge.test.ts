/** A test edge has the same responses in every run, and a manual clock. */
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

test("two test edges have equal responses, with sequential ids and a fixed time", async () => {
  const [first, other] = [await createConfig(), await createConfig()];
  expect(first).toEqual(other);
  expect(first.result.id).toMatch(/^00000000-0000-4000-8000-0{10}\d\d$/);
  expect(Date.parse(first.result.created_at)).toBe(testNow);
});

test("the clock can be set and advanced, and rejects values that are not a time", () => {
  const { clock } = createTestEdge({ now: new Date(0) });
  clock.advance(5);
  expect(clock()).toBe(5);
  clock.set(new Date(10));
  clock.advance(-1);
  expect(clock()).toBe(9);
  expect(() => clock.set(Number.NaN)).toThrow(RangeError);
  expect(() => createTestClock(new Date("never"))).toThrow(/time must be a finite number/);
  expect(clock()).toBe(9);
});
