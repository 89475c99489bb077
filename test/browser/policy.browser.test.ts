/** Names in Chromium, under content security policies with and without WebAssembly. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMissing, sharedChromium } from "../support/workbench-browser.ts";
import {
  bundlePackage,
  installPackage,
  type PackageBundle,
  platforms,
  removePackage,
} from "./package-bundle.ts";
import { run } from "./scenarios/names.ts";

const script = `import { run } from "./scenarios/names.ts";
globalThis.result = (() => { try { return { value: run() }; } catch (error) { return { error: error.message }; } })();`;

describe.skipIf(isMissing)("in Chromium", () => {
  let browser: Browser;
  let bundle: PackageBundle;
  beforeAll(async () => {
    await installPackage();
    bundle = await bundlePackage("policy", script, platforms.browser);
    browser = await sharedChromium();
  });
  afterAll(removePackage);

  async function resultUnder(policy: string): Promise<unknown> {
    const page = await browser.newPage();
    const parts = readdirSync(bundle.folder);
    await page.route("**/*", (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      if (parts.includes(name))
        return route.fulfill({
          contentType: "text/javascript",
          body: readFileSync(join(bundle.folder, name), "utf8"),
        });
      return route.fulfill({
        headers: { "content-type": "text/html", "content-security-policy": policy },
        body: '<!doctype html><script type="module" src="/main.js"></script>',
      });
    });
    await page.goto("http://localhost/");
    await page.waitForFunction("globalThis.result !== undefined");
    const result = await page.evaluate("globalThis.result");
    await page.close();
    return result;
  }

  test("matches are those of Node.js where WebAssembly is allowed", async () => {
    const result = await resultUnder("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'");
    expect(JSON.parse(JSON.stringify(result))).toEqual({ value: JSON.parse(JSON.stringify(run())) });
  });

  test("otherwise an error says what the policy must allow", async () => {
    const result = await resultUnder("default-src 'none'; script-src 'self'");
    expect(result).toEqual({ error: expect.stringContaining("must allow `'wasm-unsafe-eval'`") });
  });
});
