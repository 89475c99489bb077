/** The laws of expressions, verdicts and applications in Chromium: the same test files as on Node.js, by the browser's files. */
import type { Browser } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { isMissing, sharedChromium } from "../support/workbench-browser.ts";
import { type LawResult, lawPage } from "./law-page.ts";

/** Each file, and how many tests it has at least. */
const files = {
  "test/engine/tokens/expression/expression.prop.test.ts": 7,
  "test/engine/tokens/zone/request.prop.test.ts": 4,
  "test/engine/tokens/zone/zone.prop.test.ts": 10,
  "test/engine/proxy/fix.prop.test.ts": 4,
  "test/engine/proxy/validate.prop.test.ts": 10,
} as const;

/** Tests that need the verifier of Node.js. */
const needNode: readonly string[] = ["a zone > returns the same plain verdicts with jose as with node"];

/** Runs in the page. */
const runLaws = `(async () => {
  while (!globalThis.ready) await new Promise((resume) => setTimeout(resume, 20));
  const results = [];
  for (const { name, run } of globalThis.laws) {
    const failure = await Promise.resolve().then(run).then(() => undefined, (error) => String(error?.message ?? error));
    results.push(failure === undefined ? { name } : { name, failure });
  }
  return results;
})()`;

describe.skipIf(isMissing)("in Chromium", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await sharedChromium();
  });

  test.each(Object.entries(files))("the tests of %s pass", async (file, count) => {
    const parts = await lawPage(file);
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on("pageerror", ({ message }) => faults.push(message));
    await page.route("**/*", (route) => {
      const { pathname } = new URL(route.request().url());
      const script = parts.get(pathname);
      if (script !== undefined) return route.fulfill({ contentType: "text/javascript", body: script });
      return route.fulfill({
        contentType: "text/html",
        body: '<!doctype html><script type="module" src="/main.js"></script>',
      });
    });
    await page.goto("http://localhost/");
    const outcome = (await Promise.race([
      page.evaluate(runLaws),
      page
        .waitForEvent("pageerror", { timeout: 0 })
        .then(({ message }) => [{ name: "loading", failure: message }]),
    ])) as readonly LawResult[];
    const failed = outcome.filter(({ name, failure }) => failure !== undefined && !needNode.includes(name));
    expect(failed).toEqual([]);
    expect(outcome.length).toBeGreaterThanOrEqual(count);
    expect(faults).toEqual([]);
    await page.close();
  });
});
