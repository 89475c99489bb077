/** Setup of the project `socket`: every handler of a test is behind a socket, so that both ways behave the same. */
import { vi } from "vitest";
import type { EdgeOptions } from "../../src/edge.ts";

vi.mock("../../src/edge.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/edge.ts")>();
  const { overSocket } = await import("./socket-transport.ts");
  const createEdge = (options?: EdgeOptions) => {
    const edge = original.createEdge(options);
    return { ...edge, fetch: overSocket(edge.fetch) };
  };
  return { ...original, createEdge };
});
