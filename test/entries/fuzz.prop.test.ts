/**
 * Every function that an entry exports, and every method of what it returns, with hostile arguments: the outcome is a value or a
 * documented error, within 2 s. What accepts any value by contract (a getter that throws, a proxy whose traps throw) is not
 * tried: the error is the caller's own.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isFull, runs, seed } from "../support/runs.ts";
import type { FuzzCount } from "./fuzz-thread.ts";
import { undocumented } from "./outcome.ts";
import { maxCallMs, runFuzz } from "./run-fuzz.ts";
import { allTargets, entries, exportedFunctions } from "./targets.ts";
import { exceptions, plainErrors, validCalls } from "./valid-calls.ts";

/** With full counts each change of each argument is tried once: a random part of them finds one of a thousand late. */
const count: FuzzCount = { changed: isFull ? "all" : runs(80_000), hostile: runs(20_000) };
const first = seed ?? Math.floor(Math.random() * 2 ** 31);

describe("hostile arguments of public functions", () => {
  test("the entries are those of the manifest", () => {
    const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
      exports: Record<string, unknown>;
    };
    const modules = Object.keys(exports).filter((name) => typeof exports[name] !== "string");
    expect(Object.keys(entries).sort()).toEqual(modules.sort());
  });

  test("every exported function has an example of valid arguments, or a reason why it is not called", async () => {
    const exported = [...(await exportedFunctions()).keys()].sort();
    const listed = [...Object.keys(await validCalls()), ...Object.keys(exceptions)];
    expect(listed.sort()).toEqual(exported);
  });

  test("the valid arguments are accepted, so that a change of one of them reaches the function", async () => {
    for (const { name, valid, call } of await allTargets()) {
      if (valid === undefined || plainErrors.test(name)) continue;
      const outcome = await (async () => call(...valid))().then(
        () => "a value",
        (error: unknown) => String(error),
      );
      expect([name, outcome]).toEqual([name, "a value"]);
    }
  });

  test(`${count.changed} changes of arguments and ${count.hostile} hostile calls from seed ${first} return a value or throw a documented error within ${maxCallMs} ms`, async () => {
    const { calls, findings } = await runFuzz(first, count);
    // Few changes would find nothing: arguments that cannot be changed, or methods that are not found.
    expect(calls).toBeGreaterThan(isFull ? 100_000 : 0);
    expect(findings.map(({ call, text, outcome }) => `call ${call}: ${text}: ${outcome}`)).toEqual([]);
  });
});

describe("the wrong types of functions that open connections, listen or write files", () => {
  const wrongTypes = [undefined, null, 1, "text", [], Symbol("s"), () => 1];

  test.each(Object.keys(exceptions))("%s reports each of them before it begins", async (name) => {
    const exported = (await exportedFunctions()).get(name)!;
    for (const wrong of wrongTypes) {
      const error = await (async () =>
        exported(...(name === "serveOnNode" ? [async () => new Response(), wrong] : [wrong])))().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error, String(wrong)).toBeInstanceOf(Error);
      expect(undocumented(error), String(wrong)).toBeUndefined();
    }
  });
});

describe("the errors that the runtime and functions throw", () => {
  test.each([
    [() => (undefined as unknown as { a: { b: 1 } }).a.b],
    [() => (1 as unknown as () => void)()],
    [() => [...(1 as unknown as [])]],
    [() => new Array(-1)],
    [() => "x".repeat(2 ** 31)],
    [() => new Date(Number.NaN).toISOString()],
    [() => `${Object.create(null)}`],
    [() => Number(1n) + (1n as unknown as number)],
    [() => new URL("text")],
    [() => Buffer.from(1 as unknown as string)],
    [() => JSON.parse("{")],
    [
      () => {
        throw "text";
      },
    ],
  ])("%s throws one that no function documents", (work) => {
    let thrown: unknown;
    try {
      work();
    } catch (error) {
      thrown = error;
    }
    expect(undocumented(thrown)).toBeTypeOf("string");
  });

  test("a message of ours is documented", () => {
    expect(undocumented(new TypeError("`text` must be a string; found `null`"))).toBeUndefined();
  });
});
