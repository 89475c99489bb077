/** Other formats on the page of the playground, and the check of a draft that takes long. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { usePlayground } from "../../support/playground-browser.ts";
import { isMissing, tabTo, violations } from "../../support/workbench-browser.ts";

const playground = usePlayground();
const verdict = (action: string) => playground.page().locator(`.word.${action}`).waitFor();
const rules = () => playground.page().getByLabel("A world file, or the configurations");

describe.skipIf(isMissing)("in the playground", () => {
  test("Terraform is evaluated, and replaced by a world in JSON, by keyboard", async () => {
    const page = await playground.open("", 320);
    await verdict("allow");
    await rules().fill(readFileSync("fixtures/own-configuration/show-state-v5.json", "utf8"));
    await page.getByText("Read as Terraform state, with the profile provider.").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await tabTo(page, /^Replace by a world/);
    await page.keyboard.press("Enter");
    await page.getByText("Read as Terraform state").waitFor({ state: "detached" });
    expect(JSON.parse(await rules().inputValue())).toMatchObject({ profile: "provider" });
  });

  test("the check of a draft that takes long can be stopped, and the next change starts another", async () => {
    const page = await playground.open();
    await verdict("allow");
    await page.evaluate(`(() => {
      const post = Worker.prototype.postMessage;
      Worker.prototype.postMessage = function (message) {
        if (message.name !== "draft" || globalThis.isQuick) post.call(this, message);
      };
    })()`);
    await page.getByRole("button", { name: /^Edit/ }).last().click();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("not ");
    await page.getByRole("button", { name: "Stop the check" }).click();
    await page.getByText("The check was stopped").waitFor();
    await page.evaluate("globalThis.isQuick = true");
    await page.keyboard.press("Tab");
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("not ");
    await page.getByText(/^With the draft: /).waitFor();
    expect(await page.getByText("The check was stopped").count()).toBe(0);
  });
});
