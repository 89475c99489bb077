/** Requests turn no hooks on: those that slow down every promise of the process. */
import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, expect, test, vi } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { createMemoryStore } from "../../src/store/memory/memory-store.ts";
import { watchedStore } from "../support/nesting.ts";

const paths = [
  "zones/z1/token_validation/config",
  "zones/z1/token_validation/rules",
  "zones/z1/app_service/apps",
  "accounts/a1/images/v1",
  "accounts/a1/brand-protection/queries",
];

const world = { accounts: [{ id: "a1", name: "Example" }], zones: [{ id: "z1", account_id: "a1" }] };

afterEach(() => vi.restoreAllMocks());

test("neither seeding nor requests track transactions; a store that watches does", async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, "run");
  const runsOf = async (store = createMemoryStore()) => {
    const edge = createEdge({ store, world });
    const before = run.mock.calls.length;
    for (const path of paths) {
      const url = `https://edge.test/client/v4/${path}`;
      await edge.fetch(new Request(url, { headers: { authorization: "Bearer t" } }));
    }
    return run.mock.calls.length - before;
  };
  expect(await runsOf()).toBe(0);
  expect(await runsOf(watchedStore(createMemoryStore()))).toBeGreaterThanOrEqual(paths.length);
});

test("the stores of a process share one storage, since each storage costs every promise", async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, "run");
  for (let count = 0; count < 10; count++) await createMemoryStore().write(async () => undefined);
  expect(run.mock.contexts).toHaveLength(10);
  expect(new Set(run.mock.contexts).size).toBe(1);
});

test("transactions of two stores nest, and each store finds its own at any depth", async () => {
  const [first, second] = [createMemoryStore(), createMemoryStore()];
  const nested = first.write(() => second.write(() => first.read(async () => undefined)));
  await expect(nested).rejects.toThrow("inside a transaction of the same store");
  expect(await first.write(() => second.write(async () => "done"))).toBe("done");
});

test("work that goes on after its transaction opens transactions again", async () => {
  const store = createMemoryStore();
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let later: Promise<string> | undefined;
  await store.write(async () => {
    later = ended.then(() => store.write(async () => "opened"));
  });
  end();
  expect(await later).toBe("opened");
});

test("a request inside a transaction of the user is answered with 500, and the error says why", async () => {
  const errors: unknown[] = [];
  const edge = createEdge({ onError: (error) => errors.push(error) });
  const url = "https://edge.test/client/v4/zones/z1/token_validation/config";
  const request = () => new Request(url, { headers: { authorization: "Bearer t" } });
  const { status } = await edge.store.write(() => edge.fetch(request()));
  expect(status).toBe(500);
  expect(String(errors[0])).toContain("inside a transaction of the same store");
  expect((await edge.fetch(request())).status).toBe(200);
});
