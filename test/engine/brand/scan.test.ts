/** Scanning streams: lazily, with progress, bad names and abort. */
import { compileQueries } from "edgeproof/brand";
import { describe, expect, test } from "vitest";
import type { InvalidName, ScanProgress } from "../../../src/engine/brand/matching/scan.ts";

const matcher = compileQueries([
  { query_id: 1, parameters: { string_matches: [{ pattern: "paypal", max_edit_distance: 1 }] } },
]);

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of source) all.push(item);
  return all;
}

/** Names that say how many were read. */
function counted(names: readonly string[]) {
  const read = { count: 0, closed: false };
  function* source() {
    try {
      for (const name of names) {
        read.count += 1;
        yield name;
      }
    } finally {
      read.closed = true;
    }
  }
  return { read, source };
}

describe("a scan", () => {
  test("yields the matching names of strings, records, arrays and streams", async () => {
    const records = [
      { domain: "paypa1.com", id: 1 },
      { domain: "example.com", id: 2 },
    ];
    expect(
      (await collect(matcher.scan(records))).map(({ name, matches }) => [name.id, matches.length]),
    ).toEqual([[1, 1]]);
    async function* stream() {
      yield "a.com";
      yield ["paypal.com", "b.com"];
    }
    expect((await collect(matcher.scan(stream()))).map(({ name }) => name)).toEqual(["paypal.com"]);
  });

  test("reads no name before the first request", async () => {
    const { read, source } = counted(["x.com", "paypal.com", "y.com", "paypal.net", "z.com"]);
    const scan = matcher.scan(source());
    expect(read.count).toBe(0);
    await scan.next();
    expect(read.count).toBe(2);
    await scan.return();
    expect(read).toEqual({ count: 2, closed: true });
  });

  test("counts and reports invalid names", async () => {
    const bad: InvalidName[] = [];
    const progress: ScanProgress[] = [];
    const names = [
      "ok.com",
      "not a host",
      "paypal.com",
      undefined as unknown as string,
      "",
      null as unknown as string,
    ];
    await collect(
      matcher.scan(names, {
        progressEvery: 3,
        onInvalidName: (name) => bad.push(name),
        onProgress: (report) => progress.push(report),
      }),
    );
    expect(bad.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "invalid_character"],
      [4, "not_string"],
      [5, "empty"],
      [6, "not_string"],
    ]);
    expect(progress.at(-1)).toEqual({ names: 6, matched: 1, invalid: 4 });
    expect(progress).toHaveLength(3);
  });

  test("throws the abort reason when it is aborted between names", async () => {
    const abort = new AbortController();
    const scan = matcher.scan(["paypal.com", "paypal.net"], { signal: abort.signal });
    await scan.next();
    abort.abort(new Error("enough"));
    await expect(scan.next()).rejects.toThrow("enough");
  });

  test("ends on an abort while a stream is silent and while names are endless", async () => {
    async function* stuck(): AsyncGenerator<string> {
      await new Promise(() => {});
      yield "never.com";
    }
    const waiting = new AbortController();
    const first = matcher.scan(stuck(), { signal: waiting.signal }).next();
    setImmediate(() => waiting.abort(new Error("waited")));
    await expect(first).rejects.toThrow("waited");

    function* endless() {
      while (true) yield "example.com";
    }
    const running = new AbortController();
    const second = matcher.scan(endless(), { signal: running.signal }).next();
    setImmediate(() => running.abort(new Error("ran")));
    await expect(second).rejects.toThrow("ran");
  });
});
