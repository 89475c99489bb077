/**
 * Setup of the project `socket`: every handler of a test is behind a socket, so that both ways behave the same. Its
 * stores watch all transactions, so that a use case that opens one inside another fails.
 */
import { vi } from "vitest";
import type { EdgeOptions } from "../../src/edge.ts";

vi.mock("../../src/edge.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/edge.ts")>();
  const { overSocket } = await import("./socket-transport.ts");
  const { watchedStore } = await import("./nesting.ts");
  const { createMemoryStore } = await import("../../src/store/memory/memory-store.ts");
  const createEdge = (options: EdgeOptions = {}) => {
    const store = watchedStore(options.store ?? createMemoryStore());
    const edge = original.createEdge({ ...options, store });
    return { ...edge, fetch: overSocket(edge.fetch) };
  };
  return { ...original, createEdge };
});
