/** Keys and tokens on the page of the playground: made, added to the rules, signed with, and kept out of links. */
import { describe, expect, test } from "vitest";
import { usePlayground } from "../../support/playground-browser.ts";
import { isMissing, tabTo, violations } from "../../support/workbench-browser.ts";

const playground = usePlayground();
const verdict = (action: string) => playground.page().locator(`.word.${action}`).waitFor();

async function makeKey(width?: number) {
  const page = await playground.open("", width);
  await verdict("allow");
  await page.getByText("Your own keys and tokens").click();
  await page.getByRole("button", { name: "Make a key" }).click();
  await page.getByText(/Made the key my-key for ES256/).waitFor();
  return page;
}

describe.skipIf(isMissing)("keys of the playground", () => {
  test("sign tokens that the rules accept once they have the public key, by keyboard", async () => {
    const page = await makeKey();
    // The rules do not have the key yet.
    await tabTo(page, /^Sign a token/);
    await page.keyboard.press("Enter");
    await page.getByText("unknown key", { exact: true }).waitFor();
    await verdict("block");
    await page.getByRole("button", { name: "Add the public key" }).click();
    await page.getByText("The key my-key is in the rules.").waitFor();
    await page.locator("article.token").getByText("valid", { exact: true }).waitFor();
    await verdict("allow");
    await page.getByLabel(/^Expires/).fill("-60");
    await page.getByRole("button", { name: "Sign a token" }).click();
    await verdict("block");
    expect(await page.locator("article.token").innerText()).toMatch(/expired/);
    await page.getByLabel(/^Other claims/).fill("[");
    await page.getByRole("button", { name: "Sign a token" }).click();
    await page.getByText(/must be a JSON object/).waitFor();
  });

  test("are in a link only when that is asked for, with a warning", async () => {
    let page = await makeKey();
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.locator("#link").inputValue();
    await page.getByLabel("Include tokens and private keys").check();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Make a link" }).click();
    const whole = await page.locator("#link").inputValue();
    await page.close();
    page = await playground.open(new URL(link).hash);
    await page.getByText("Your own keys and tokens").click();
    expect(await page.getByLabel("Key", { exact: true }).count()).toBe(0);
    await page.close();
    page = await playground.open(new URL(whole).hash);
    await page.getByText("Your own keys and tokens").click();
    await page.getByRole("button", { name: "Sign a token" }).waitFor();
  });

  test("have a form without violations of axe in both themes, that fits 320 pixels", async () => {
    const page = await makeKey(320);
    await page.getByRole("button", { name: "Sign a token" }).click();
    await page.locator("#signed-token").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });
});
