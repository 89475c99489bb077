/** The tab of names in Chromium: by keyboard, Stop, hostile names, links, axe in both themes and 320 pixels. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { encodeState, type PlaygroundState } from "../../../web/src/playground/link.ts";
import { usePlayground } from "../../support/playground-browser.ts";
import { isMissing, tabTo, violations } from "../../support/workbench-browser.ts";

const playground = usePlayground();

async function openTab(width?: number) {
  const page = await playground.open("", width);
  await tabTo(page, /^Names/);
  await page.keyboard.press("Enter");
  await tabTo(page, /^Show an example/);
  await page.keyboard.press("Enter");
  await page.getByText(/of 8 names found/).waitFor();
  return page;
}

/** A state with names, as a link and a file have it. */
function stateOf(names: string): PlaygroundState {
  const flags = { confusables: false, transpositions: false, separators: false };
  return {
    rules: "",
    before: "",
    request: { method: "GET", url: "", headers: "" },
    tab: "names",
    names: { patterns: "northwind", names, mode: "recommended", ...flags },
  };
}

describe.skipIf(isMissing)("the tab of names", () => {
  test("marks what was found, with distance and rule, and tells the lines that are not names, by keyboard", async () => {
    const page = await openTab();
    const item = (name: string) => page.locator(".match", { hasText: name });
    expect(await item("northw1nd.com").locator("mark").innerText()).toBe("northw1nd");
    expect(await item("northw1nd.com").innerText()).toMatch(/1 edit from northwind.*whole part/s);
    expect(await item("norhtwind.org").innerText()).toMatch(/transposition/);
    expect(await item("weather.org").count()).toBe(0);
    await page.getByText("1 line is not a name").waitFor();
    await tabTo(page, /^The 7 rules/);
    await page.keyboard.press("Enter");
    await page.getByText(/at most 3 edits; patterns of 11 or more characters/).waitFor();
  });

  test("another comparison finds other names", async () => {
    const page = await openTab();
    await page.getByLabel("Where a pattern is compared").selectOption("label");
    await page.getByLabel("Patterns, one a line").fill("northwind:0");
    await page.locator(".match", { hasText: "norhtwind.org" }).waitFor({ state: "detached" });
    await page.getByText("1 of 8 names found").waitFor();
    await page.getByLabel("Two swapped letters are one edit").check();
    await page.getByLabel("Patterns, one a line").fill("northwind:1");
    await page.locator(".match", { hasText: "norhtwind.org" }).waitFor();
    await page.getByLabel("Patterns, one a line").fill("northwind:9");
    await page.getByText(/Line 1 of the patterns: .*0 to 3; found `9`/).waitFor();
    expect(await page.locator(".match").count()).toBe(0);
  });

  test("look-alikes of a domain become the list of names", async () => {
    const page = await openTab();
    await page.getByRole("button", { name: "List look-alikes" }).click();
    await page.getByText(/^\d+ look-alikes$/).waitFor();
    const count = Number.parseInt(await page.getByText(/^\d+ look-alikes$/).innerText(), 10);
    expect(count).toBeGreaterThan(500);
    await page.getByRole("button", { name: "Compare all of them" }).click();
    await page.getByText(new RegExp(`of ${count} names found; the first 500 of`)).waitFor();
    await page.getByLabel("A domain of the brand").fill("com");
    await page.getByRole("button", { name: "List look-alikes" }).click();
    await page.locator(".note.error").waitFor();
  });

  test("a comparison that is stopped says so, and can be started again", async () => {
    const page = await openTab();
    // Both clicks are in one turn of the page, so that the comparison is always under way.
    await page.evaluate(`(async () => {
      const button = (name) => [...document.querySelectorAll("button")].find(({ innerText }) => innerText === name);
      button("Compare the names").click();
      while (!button("Stop")) await Promise.resolve();
      button("Stop").click();
    })()`);
    await page.getByText("Stopped.").waitFor();
    expect(await page.getByText(/of 8 names found/).count()).toBe(0);
    await page.getByRole("button", { name: "Compare the names" }).click();
    await page.getByText(/of 8 names found/).waitFor();
  });

  test("hostile names of a link are text, bounded, and change no direction", async () => {
    const names = [
      "northwind\u202emoc.example",
      "<img src=x onerror=alert(1)>",
      "\u2067northwind.com",
      "northwind.com\u200b",
      ..."x"
        .repeat(1_200)
        .split("")
        .map(() => "northwind.com"),
    ];
    const page = await playground.open(await encodeState(stateOf(names.join("\n"))));
    await page.getByText(/names found; the first 500 of/).waitFor();
    const text = await page.locator("main").innerText();
    expect(text).toContain("U+202E");
    expect(text).not.toMatch(/[\u200b\u202e\u2066-\u2069]/);
    expect(await page.locator("main img").count()).toBe(0);
    expect(await page.locator(".match").count()).toBe(500);
  });

  test("a link holds patterns, names and how they are compared", async () => {
    const page = await openTab();
    await page.getByLabel("Where a pattern is compared").selectOption("token");
    await page.getByLabel("Also without hyphens and dots").check();
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.locator("#link").inputValue();
    await page.close();
    const other = await playground.open(new URL(link).hash);
    await other.getByText(/of 8 names found/).waitFor();
    expect(await other.getByLabel("Where a pattern is compared").inputValue()).toBe("token");
    expect(await other.getByLabel("Also without hyphens and dots").isChecked()).toBe(true);
    expect(await other.getByLabel("Patterns, one a line").inputValue()).toBe("northwind");
  });

  test("a list that is too long for a link is saved as a file", async () => {
    const page = await openTab();
    const names = Array.from({ length: 9_000 }, (_, i) => `${(i * 7_919).toString(36)}-${i}.example`);
    const state = JSON.stringify(stateOf(names.join("\n")));
    const open = (buffer: Buffer) =>
      page
        .getByLabel("Open a saved file")
        .setInputFiles({ name: "state.json", mimeType: "application/json", buffer });
    await open(Buffer.from(state));
    await page.getByText("0 of 9000 names found").waitFor();
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByText(/a link has at most 32768\. Save it as a file/).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a file" }).click();
    const saved = await readFile(await (await download).path());
    expect(JSON.parse(saved.toString())).toMatchObject({ tab: "names", names: { names: names.join("\n") } });
    await page.getByLabel("Names to compare").fill("");
    await page.getByText(/Write patterns and names/).waitFor();
    await open(saved);
    await page.getByText("0 of 9000 names found").waitFor();
  });

  test("has no violations of axe in both themes, and fits 320 pixels", async () => {
    const page = await openTab(320);
    await page.getByRole("button", { name: "List look-alikes" }).click();
    await page.getByText(/^\d+ look-alikes$/).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });
});
