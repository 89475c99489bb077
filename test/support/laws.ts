/**
 * A case of a law that ran is an assertion: with few runs, no case of a law about some of its values may have one of
 * them. Laws that must see such a value count them (`runs(full, needed)`).
 */
import fc from "fast-check";
import { expect } from "vitest";
import { seed } from "./runs.ts";

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  ...(seed !== undefined && { seed }),
  afterEach: () => expect(fc).toBeDefined(),
});
