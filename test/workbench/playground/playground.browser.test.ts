/** The playground in Chromium, opened as a file: verdicts, comparison, links, keyboard, axe; no request, no complaint. */
import { describe, expect, test } from "vitest";
import { usePlayground } from "../../support/playground-browser.ts";
import { isMissing, tabTo, violations } from "../../support/workbench-browser.ts";

const playground = usePlayground();
const verdict = (action: string) => playground.page().locator(`.word.${action}`).waitFor();
const sample = (label: string) =>
  playground.page().getByLabel("Or begin with a sample").selectOption({ label });
const rules = () => playground.page().getByLabel("A world file, or the configurations");

describe.skipIf(isMissing)("the playground", () => {
  test("allows a real ES256 token, blocks others, and evaluates RE2, by keyboard", async () => {
    const page = await playground.open();
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
    const page = await playground.open();
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
    const page = await playground.open();
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
    const page = await playground.open();
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
    let page = await playground.open();
    await verdict("allow");
    const text = await rules().inputValue();
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.locator("#link").inputValue();
    expect(link.startsWith(`${playground.address()}#v1=`)).toBe(true);
    await page.getByLabel("Include tokens and private keys").check();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Make a link" }).click();
    const whole = await page.locator("#link").inputValue();
    await page.close();
    page = await playground.open(new URL(link).hash);
    await verdict("block");
    expect(await rules().inputValue()).toBe(text);
    expect(await page.getByLabel("Headers, one a line").inputValue()).toBe("");
    await page.close();
    page = await playground.open(new URL(whole).hash);
    await verdict("allow");
    expect(new URL(page.url()).hash).toBe("");
  });

  test("a hostile link shows its fault beside the example", async () => {
    const page = await playground.open("#v9=AAAA");
    await page.getByText(/state of version 9/).waitFor();
    await verdict("allow");
    expect(await page.getByRole("alert").innerText()).toMatch(/reads version 1/);
    await page.getByRole("button", { name: "Show the example" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
  });

  test("has no violations of axe in both themes, and fits 320 pixels", async () => {
    const page = await playground.open("", 320);
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
