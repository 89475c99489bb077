import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { proxyCodesPath, renderProxyCodes } from "../../../scripts/generate-proxy-codes.ts";

test("docs/proxy-codes.md matches the catalogue (node --import tsx scripts/generate-proxy-codes.ts)", () => {
  expect(readFileSync(proxyCodesPath, "utf8")).toBe(renderProxyCodes());
});
