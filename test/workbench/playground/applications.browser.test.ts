/** The tab of applications in Chromium: by keyboard, links, axe in both themes and 320 pixels. */
import { describe, expect, test } from "vitest";
import { usePlayground } from "../../support/playground-browser.ts";
import { isMissing, tabTo, violations } from "../../support/workbench-browser.ts";

const playground = usePlayground();

async function openTab(width?: number) {
  const page = await playground.open("", width);
  await tabTo(page, /^Applications/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Show an example/);
  await page.keyboard.press("Enter");
  await page.getByText("Rejected", { exact: true }).waitFor();
  return page;
}

describe.skipIf(isMissing)("the tab of applications", () => {
  test("shows a code at its line, applies the fix, and shows the stored form, by keyboard", async () => {
    const page = await openTab();
    expect(await page.locator(".line.bad").innerText()).toMatch(/2001:db8::1:22.*11002/s);
    await tabTo(page, /^Line \d+/);
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Application as JSON");
    expect(await field.evaluate("getSelection().toString()")).toBe('"tcp://2001:db8::1:22"');
    await tabTo(page, /^Apply the fix/);
    await page.keyboard.press("Enter");
    await page.getByText("Accepted", { exact: true }).waitFor();
    expect(await field.inputValue()).toContain("tcp://[2001:db8::1]:22");
    expect(await page.getByLabel("Stored application").innerText()).toContain('"smart_routing": false');
  });

  test("facts change the result, and wrong ones are rejected with their place", async () => {
    const page = await openTab();
    await page.getByRole("button", { name: "Apply the fix" }).click();
    await page.getByText("Accepted", { exact: true }).waitFor();
    const facts = page.getByLabel("What is known of the account");
    await facts.fill('{ "plan": "pay-as-you-go", "apps": [{ "protocol": "tcp/22" }] }');
    await page.getByText("Rejected", { exact: true }).waitFor();
    await facts.fill('{ "plan": "free" }');
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").innerText()).toMatch(/\/plan: .*free/);
    await page.getByText("Not checked yet").waitFor();
  });

  test("a link opens the tab with the same application and facts", async () => {
    const page = await openTab();
    const text = await page.getByLabel("Application as JSON").inputValue();
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.locator("#link").inputValue();
    await page.close();
    const other = await playground.open(new URL(link).hash);
    await other.getByText("Rejected", { exact: true }).waitFor();
    expect(await other.getByLabel("Application as JSON").inputValue()).toBe(text);
    expect(await other.getByLabel("What is known of the account").inputValue()).toContain("example.com");
    await other.getByRole("button", { name: "Rules", exact: true }).click();
    await other.locator(".word.block").waitFor();
  });

  test("has no violations of axe in both themes, and fits 320 pixels", async () => {
    const page = await openTab(320);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });
});
