/** The screen Requests in Chromium: files, the history, and the deciding rule, with axe in both themes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildPage } from "../../scripts/build-page.ts";
import { demoWorld, mintDemoKeys } from "../../src/cli/demo/api-world.ts";
import { createEdge, type Edge } from "../../src/edge.ts";
import { startWorkbench, type Workbench } from "../../src/workbench/workbench.ts";
import { isMissing, launchChromium, violations } from "../support/workbench-browser.ts";

let folder: string;
let browser: Browser;
let edge: Edge;
let workbench: Workbench;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  if (isMissing) return;
  folder = await mkdtemp(join(tmpdir(), "edgeproof-requests-"));
  await buildPage(join(folder, "page"));
  edge = createEdge({ world: demoWorld(await mintDemoKeys()) });
  workbench = await startWorkbench({ edge, pageFolder: join(folder, "page"), port: 0, version: "1.2.3" });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await workbench?.close();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(async () => {
  await page?.close();
});

async function open(width = 1200): Promise<void> {
  complaints = [];
  page = await browser.newPage({ viewport: { width, height: 700 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(workbench.url);
  await page.locator("#rules-title").waitFor();
}

async function expectNoViolations(): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
  }
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  expect(complaints).toEqual([]);
}

const url = (path: string) => `https://api.shop.example${path}`;
const har = (...paths: readonly string[]) => {
  const startedDateTime = "2026-11-26T12:00:00Z";
  const entries = paths.map((path) => {
    return { startedDateTime, request: { method: "POST", url: url(path), headers: [] } };
  });
  return JSON.stringify({ log: { version: "1.2", entries } });
};

describe.skipIf(isMissing)("a file", () => {
  test("that is chosen is read as a pasted text is", async () => {
    await open();
    await writeFile(join(folder, "traffic.har"), har("/v1/orders", "/v1/login"));
    await page.getByLabel("Drop a file, or choose one").setInputFiles(join(folder, "traffic.har"));
    await page.locator(".word.block").waitFor();
    expect(await page.locator("#paste-note").innerText()).toMatch(/2 requests .*traffic\.har/s);
    await page.getByLabel("Requests of the paste").selectOption({ index: 1 });
    await page.locator(".word.allow").waitFor();
  });

  test("that is dropped on the panel is read, and of several the first", async () => {
    await open();
    const drop = `(texts) => {
      const dataTransfer = new DataTransfer();
      texts.forEach((text, i) => dataTransfer.items.add(new File([text], i + ".har")));
      document.querySelector("#paste").dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true }));
    }`;
    await page.evaluate(`(${drop})(${JSON.stringify([har("/v1/orders"), har("/v1/login")])})`);
    await page.locator(".word.block").waitFor();
    expect(await page.locator("#paste-note").innerText()).toContain("Of 2 files only 0.har was read.");
  });

  test("that is not a request is rejected with its name", async () => {
    await open();
    await writeFile(join(folder, "notes.txt"), "nothing of the kind");
    await page.getByLabel("Drop a file, or choose one").setInputFiles(join(folder, "notes.txt"));
    await page.locator("#paste-note.error").waitFor();
    expect(await page.locator("#paste-note").innerText()).toMatch(/not a request.*notes\.txt/s);
    await expectNoViolations();
  });
});

const history = () => page.locator(".history .entry");

describe.skipIf(isMissing)("the history", () => {
  test("has each request once, typed ones in their last state, and brings one back", async () => {
    await open();
    const field = page.getByLabel("URL", { exact: true });
    await field.fill(url("/v1/login"));
    await history().first().waitFor();
    await field.fill(url("/v1/orders"));
    await page.getByLabel("Method").fill("POST");
    await page.locator(".word.block").waitFor();
    expect(await history().allInnerTexts()).toEqual([expect.stringMatching(/block\s+POST \/v1\/orders/)]);
    await page.getByRole("textbox", { name: /^Paste/ }).fill(url("/v1/login"));
    await page.keyboard.press("Control+Enter");
    await page.locator(".word.allow").waitFor();
    expect(await history().count()).toBe(2);
    await history().nth(1).getByRole("button").click();
    await page.locator(".word.block").waitFor();
    expect(await field.inputValue()).toBe(url("/v1/orders"));
    expect(await history().count()).toBe(2);
    await expectNoViolations();
    await page.getByRole("button", { name: "Forget them" }).click();
    expect(await history().count()).toBe(0);
  });
});

describe.skipIf(isMissing)("the deciding rule", () => {
  test.each([1200, 320])(
    "and the verdict stay in view while the page scrolls, %d pixels wide",
    async (width) => {
      await open(width);
      await page.getByLabel("Method").fill("POST");
      await page.getByLabel("URL", { exact: true }).fill(url("/v1/orders"));
      await page.locator(".word.block").waitFor();
      const decision = page.locator(".decision");
      expect(await decision.innerText()).toMatch(/Blocked\s+decided by Orders: staff/);
      await page.locator(".rule").last().scrollIntoViewIfNeeded();
      await page.evaluate("scrollBy(0, 200)");
      expect((await decision.boundingBox())?.y).toBeGreaterThanOrEqual(0);
      await page.getByRole("button", { name: "Show the rule" }).click();
      expect(await page.evaluate("document.activeElement.querySelector('h3').innerText")).toMatch(/^Orders/);
      await expectNoViolations();
    },
  );
});
