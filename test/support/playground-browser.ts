/** The playground in Chromium, opened as a file: each test sees that no request was sent and nothing complained. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { buildPlayground } from "../../scripts/build-playground.ts";
import { isMissing, launchChromium } from "./workbench-browser.ts";

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
  let folder: string;
  let browser: Browser;
  let page: Page;
  let address: string;
  let complaints: string[] = [];
  let asked: string[] = [];

  beforeAll(async () => {
    if (isMissing) return;
    folder = await mkdtemp(join(tmpdir(), "edgeproof-playground-"));
    await buildPlayground(folder);
    address = pathToFileURL(join(folder, "index.html")).href;
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    if (folder) await rm(folder, { recursive: true });
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
