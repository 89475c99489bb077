/** The playground in Chromium, opened as a file: each test sees that no request was sent and nothing complained. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterEach, beforeAll, expect } from "vitest";
import { buildPlayground } from "../../scripts/build-playground.ts";
import { builtFolder, isMissing, sharedChromium } from "./workbench-browser.ts";

/** The page under test. */
export interface OpenPlayground {
  /** Address of the page without a fragment. */
  address(): string;
  page(): Page;
  /** Opens the page in a new tab; `script` runs before those of the page. */
  open(fragment?: string, width?: number, height?: number, script?: string): Promise<Page>;
}

/** Builds the page before the tests of a file, and closes its tab after each. */
export function usePlayground(): OpenPlayground {
  let browser: Browser;
  let page: Page;
  let address: string;
  let complaints: string[] = [];
  let asked: string[] = [];

  beforeAll(async () => {
    if (isMissing) return;
    address = pathToFileURL(join(await builtFolder(buildPlayground), "index.html")).href;
    browser = await sharedChromium();
  });
  afterEach(async () => {
    // The page itself and its workers; a policy that is violated is a message of the console.
    expect(asked.filter((url) => !url.startsWith("blob:") && url.replace(/#.*/, "") !== address)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  return {
    address: () => address,
    page: () => page,
    open: async (fragment = "", width = 1200, height = 900, script = "") => {
      complaints = [];
      asked = [];
      page = await browser.newPage({ viewport: { width, height }, reducedMotion: "reduce" });
      page.setDefaultTimeout(30_000);
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("request", (request) => asked.push(request.url()));
      await page.addInitScript(script);
      await page.goto(address + fragment);
      return page;
    },
  };
}
