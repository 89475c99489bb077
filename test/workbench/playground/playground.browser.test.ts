/** The playground in Chromium, opened as a file: verdicts, comparison, links, keyboard, axe; no request, no complaint. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildPlayground } from "../../../scripts/build-playground.ts";
import { isMissing, launchChromium, tabTo, violations } from "../../support/workbench-browser.ts";

let folder: string;
let browser: Browser;
let page: Page;
let address: string;
let complaints: string[];
let asked: string[];

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

async function open(fragment = "", width = 1200): Promise<void> {
  complaints = [];
  asked = [];
  page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(address + fragment);
}

const verdict = (action: string) => page.locator(`.word.${action}`).waitFor();
const sample = (label: string) => page.getByLabel("Or begin with a sample").selectOption({ label });
const rules = () => page.getByLabel("A world file, or the configurations");

describe.skipIf(isMissing)("the playground", () => {
  test("allows a real ES256 token, blocks others, and evaluates RE2, by keyboard", async () => {
    await open();
    await verdict("allow");
    await sample("No token");
    await verdict("block");
    expect(await page.locator(".because").innerText()).toMatch(/Orders.*the token "Staff" is missing/);
    await sample("A token that another key has signed");
    await page.getByText("bad signature", { exact: true }).waitFor();
    await sample("A report without a token");
    await verdict("log");
    await tabTo(page, /^Paste a curl/);
    await page.keyboard.insertText("curl -X OPTIONS https://api.example.com/v1/orders");
    await page.keyboard.press("Control+Enter");
    await verdict("allow");
  });

  test("shows problems and findings of the rules, each with its line", async () => {
    await open();
    await verdict("allow");
    const text = await rules().inputValue();
    await rules().fill(text.replace("starts_with(", "begins_with("));
    await page.locator(".finding-error").waitFor();
    expect(await page.locator("#findings").innerText()).toMatch(/Line \d+: .*begins_with/);
    await rules().fill(text.replace('"action": "block"', '"action": 1'));
    await page
      .getByText(/action/)
      .first()
      .waitFor();
    await rules().fill("{");
    await page
      .getByText(/Line 1: /)
      .first()
      .waitFor();
    await rules().fill(
      text.replace(
        /http\.request\.method eq [^\n]*?(?=",\n)/,
        'http.request.method eq \\"GET\\" and http.request.method eq \\"PUT\\"',
      ),
    );
    await page.locator(".finding-warning").first().waitFor();
  });

  test("compares two versions, and stops a comparison", async () => {
    await open();
    await verdict("allow");
    await page.getByRole("button", { name: "Keep the rules above" }).click();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByText(/two versions are equivalent/).waitFor();
    await rules().fill((await rules().inputValue()).replace("OPTIONS", "HEAD"));
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.locator(".counterexample").waitFor();
    expect(await page.locator(".counterexample").innerText()).toMatch(/OPTIONS|HEAD/);
    // Both clicks are in one turn of the page, so that the comparison is always under way.
    await page.evaluate(`(async () => {
      const button = (name) => [...document.querySelectorAll("button")].find(({ innerText }) => innerText === name);
      button("Compare").click();
      while (!button("Stop")) await Promise.resolve();
      button("Stop").click();
    })()`);
    await page.getByText("Stopped.").waitFor();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.locator(".counterexample").waitFor();
  });

  test("edits a rule in the text of the rules", async () => {
    await open();
    await sample("No token");
    await verdict("block");
    await page.getByRole("button", { name: /^Edit/ }).last().click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type('http.request.method eq "POST" or ');
    await page.getByRole("button", { name: "Save the rule" }).click();
    await verdict("allow");
    expect(await rules().inputValue()).toContain('http.request.method eq \\"POST\\" or ');
  });

  test("a link holds the state, without tokens unless they are asked for", async () => {
    await open();
    await verdict("allow");
    const text = await rules().inputValue();
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.locator("#link").inputValue();
    expect(link.startsWith(`${address}#v1=`)).toBe(true);
    await page.getByLabel("Include tokens and private keys").check();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Make a link" }).click();
    const whole = await page.locator("#link").inputValue();
    await page.close();
    await open(new URL(link).hash);
    await verdict("block");
    expect(await rules().inputValue()).toBe(text);
    expect(await page.getByLabel("Headers, one a line").inputValue()).toBe("");
    await page.close();
    await open(new URL(whole).hash);
    await verdict("allow");
    expect(new URL(page.url()).hash).toBe("");
  });

  test("a hostile link shows its fault beside the example", async () => {
    await open("#v9=AAAA");
    await page.getByText(/state of version 9/).waitFor();
    await verdict("allow");
    expect(await page.getByRole("alert").innerText()).toMatch(/reads version 1/);
    await page.getByRole("button", { name: "Show the example" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
  });

  test("has no violations of axe in both themes, and fits 320 pixels", async () => {
    await open("", 320);
    await sample("No token");
    await verdict("block");
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.locator("#link").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });
});
