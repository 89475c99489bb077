/** The suite that the page of the playground generates: saved as a file, stopped, rejected with a sentence. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { usePlayground } from "../../support/playground-browser.ts";
import { isMissing, tabTo, violations } from "../../support/workbench-browser.ts";

const playground = usePlayground();
const verdict = (action: string) => playground.page().locator(`.word.${action}`).waitFor();

describe.skipIf(isMissing)("a generated suite in the playground", () => {
  test("is saved as a file, by keyboard, and its panel has no violations of axe at 320 pixels", async () => {
    const page = await playground.open("", 320);
    await verdict("allow");
    await tabTo(page, /^Generate$/);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save suite.json" }).waitFor();
    await tabTo(page, /^Save suite\.json$/);
    const download = page.waitForEvent("download");
    await page.keyboard.press("Enter");
    const saved = await download;
    expect(saved.suggestedFilename()).toBe("suite.json");
    const requests = JSON.parse(await readFile(await saved.path(), "utf8"));
    expect(requests.length).toBeGreaterThan(5);
    expect(requests[0]).toMatchObject({ zone: "playground", method: expect.any(String) });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
    }
    // A suite of other rules is not offered.
    await page.getByLabel("A world file, or the configurations").fill('{"rules": []}');
    await page.getByRole("button", { name: "Save suite.json" }).waitFor({ state: "detached" });
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });

  test("can be stopped, and says why there is none", async () => {
    const page = await playground.open();
    await verdict("allow");
    // Both clicks are in one turn of the page, so that the work is always under way.
    await page.evaluate(`(async () => {
      const button = (name) => [...document.querySelectorAll("button")].find(({ innerText }) => innerText === name);
      button("Generate").click();
      while (!button("Stop")) await Promise.resolve();
      button("Stop").click();
    })()`);
    await page.getByText("Stopped.").waitFor();
    await page.getByLabel("Format").selectOption("vitest");
    await page.getByRole("button", { name: "Generate", exact: true }).click();
    await page.getByText(/A test file reads the rules from a world file/).waitFor();
    await page.getByLabel("A world file, or the configurations").fill('{"rules": []}');
    await page.getByLabel("Format").selectOption("json");
    await page.getByText("The zone has no token rules").waitFor();
    await page.getByRole("button", { name: "Generate", exact: true }).click();
    await page.getByText("has no rules to generate requests for").waitFor();
    expect(await page.getByRole("button", { name: "Save suite.json" }).count()).toBe(0);
  });
});
