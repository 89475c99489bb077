/** Parts of the page that need no browser: the stream of the log, times in words, the history. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type LoggedEntry, withEntry, withRead } from "../../web/src/log/kept-entries.ts";
import { parseEvents } from "../../web/src/log/parse-events.ts";
import { printFieldValue, readFieldValue } from "../../web/src/requests/field-value.ts";
import { maxPast, type PastRequest, withRequest } from "../../web/src/requests/history/history.ts";
import { describeTime } from "../../web/src/requests/human-time.ts";
import { mismatchOf } from "../../web/src/requests/rules/mismatch.ts";

test("events arrive whole, wherever the stream is cut", () => {
  const text = ': open\n\nid: 1\ndata: {"a":1}\n\n: keep\n\nid: 2\ndata: {"b":2}\n\nid: 3\ndata: {"c"';
  fc.assert(
    fc.property(fc.nat({ max: text.length }), (at) => {
      const first = parseEvents(text.slice(0, at));
      const second = parseEvents(first.rest + text.slice(at));
      expect([...first.events, ...second.events]).toEqual(['{"a":1}', '{"b":2}']);
      expect(second.rest).toBe('id: 3\ndata: {"c"');
    }),
  );
});

test("entries of the log are kept in order, also those that arrive before the log is read", () => {
  const entry = (id: number): LoggedEntry => ({
    id,
    kind: "answer",
    atMs: 0,
    method: "GET",
    path: "/",
    status: 200,
    ms: 1,
  });
  const ids = (entries: readonly LoggedEntry[]) => entries.map(({ id }) => id);
  const early = withEntry([], entry(3));
  expect(ids(withRead(early, [entry(1), entry(2)]))).toEqual([1, 2, 3]);
  expect(ids(withRead(early, [entry(2), entry(3), entry(4)]))).toEqual([2, 3, 4]);
  expect(ids(withEntry(early, entry(2)))).toEqual([3]);
  // The server was started again.
  expect(ids(withEntry(early, entry(1)))).toEqual([1]);
  const many = Array.from({ length: 600 }, (_, i) => entry(i + 1));
  expect(ids(withRead([], many)).length).toBe(500);
});

test.each([
  [-125, "2 minutes ago"],
  [-1, "1 second ago"],
  [0, "now"],
  [59, "in 59 seconds"],
  [3_600, "in 1 hour"],
  [-200_000, "2 days ago"],
])("%i seconds from now are %s", (distance, words) => {
  const nowMs = Date.parse("2026-01-01T00:00:00Z");
  expect(describeTime(nowMs / 1000 + distance, nowMs).words).toBe(words);
});

test("a time outside of the calendar stays a number", () => {
  expect(describeTime(1e20, 0)).toEqual({ words: "at 100000000000000000000", exact: "" });
});

const past = (url: string): PastRequest => {
  return { zone: "z", request: { method: "GET", url, headers: [] }, action: "allow", atMs: 0 };
};

test("the history has each request once, the newest first, and at most its maximum", () => {
  const addresses = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()), { maxLength: 40 });
  fc.assert(
    fc.property(addresses, (added) => {
      let list: readonly PastRequest[] = [];
      for (const [url, replacesFirst] of added) list = withRequest(list, past(url), replacesFirst);
      const urls = list.map(({ request }) => request.url);
      expect(urls.length).toBe(new Set(urls).size);
      expect(urls[0]).toBe(added.at(-1)?.[0]);
    }),
  );
  let many: readonly PastRequest[] = [];
  for (let i = 0; i < 30; i++) many = withRequest(many, past(String(i)), false);
  expect(many.map(({ request }) => request.url)).toEqual(
    Array.from({ length: maxPast }, (_, i) => String(29 - i)),
  );
});

test.each([
  [{ hosts: ["a"], excluded: ["x"] }, { id: "y", host: "A" }, undefined],
  [{ hosts: ["a"], excluded: ["x"] }, { id: "x", host: "a" }, "excluded"],
  [{ hosts: ["a"], excluded: ["x"] }, { id: "x", host: "b" }, "host"],
  [{ hosts: [], excluded: [] }, { id: "x", host: "b" }, "no-hosts"],
  [{ hosts: ["a"], excluded: [] }, undefined, "no-operation"],
] as const)("the selector %j and the operation %j: %s", (selector, operation, reason) => {
  expect(mismatchOf(selector, operation)).toBe(reason);
});

test("values of fields are read by their type, and printed back", () => {
  expect(readFieldValue("7", "Int")).toBe(7);
  expect(readFieldValue("7", "String")).toBe("7");
  expect(readFieldValue("[1,2]", "Array<Int>")).toEqual([1, 2]);
  expect(readFieldValue("seven", "Int")).toBe("seven");
  expect([7, "7", true, [1]].map(printFieldValue)).toEqual(["7", "7", "true", "[1]"]);
  expect(readFieldValue(printFieldValue(""), "String")).toBe("");
});
