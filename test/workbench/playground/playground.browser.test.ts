/** The playground in Chromium, opened as a file: verdicts, comparison, links, keyboard, axe; no request, no complaint. */
import { describe, expect, test } from "vitest";
import { usePlayground } from "../../support/playground-browser.ts";
import { isMissing, tabTo, violations } from "../../support/workbench-browser.ts";

const playground = usePlayground();
const verdict = (action: string) => playground.page().locator(`.word.${action}`).waitFor();
const sample = (label: string) =>
  playground.page().getByLabel("Or begin with a sample").selectOption({ label });
const rules = () => playground.page().getByLabel("A world file, or the configurations");

/** The example of the page arrives when the test calls `release`. */
const slowExample = `(() => {
  const send = Worker.prototype.postMessage;
  const released = new Promise((done) => { window.release = done; });
  Worker.prototype.postMessage = function (message) {
    if (message.name === "example") void released.then(() => send.call(this, message));
    else send.call(this, message);
  };
})()`;

describe.skipIf(isMissing)("the first screen of the playground", () => {
  test.each([
    [1280, 800],
    [390, 844],
  ])("has rules and the verdict, %i by %i pixels", async (width, height) => {
    const page = await playground.open("", width, height);
    await verdict("allow");
    for (const shown of [page.locator(".word.allow"), rules()]) {
      const box = await shown.boundingBox();
      expect(box?.y).toBeGreaterThan(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(height);
    }
    const text = await rules().inputValue();
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split("\n").length;
    const rows = Number(await rules().getAttribute("rows"));
    expect(lineOf("ip.src in")).toBeLessThan(rows);
    expect(lineOf("is_jwt_valid")).toBeLessThan(rows);
    expect(lineOf('"keys"')).toBeGreaterThan(rows);
    expect(await page.getByRole("button", { name: "Make a key" }).isVisible()).toBe(false);
  });

  test.each<readonly [string, RegExp, string]>([
    ["rules", /^A world file/, '{ "rules": [] }'],
    ["an address", /^URL/, "https://own.example/"],
    ["headers", /^Headers/, "x-own: 1"],
  ])("keeps %s that are typed before the example arrives", async (_name, label, typed) => {
    const page = await playground.open("", 1280, 800, slowExample);
    await page.getByLabel(label).fill(typed);
    await page.evaluate("window.release()");
    if (label.source === "^A world file")
      await page.getByRole("heading", { name: "No verdict yet" }).waitFor();
    else await expect.poll(() => rules().inputValue()).toContain("is_jwt_valid");
    expect(await page.getByLabel(label).inputValue()).toBe(typed);
  });

  test("reads a request that is pasted before the example arrives", async () => {
    const page = await playground.open("", 1280, 800, slowExample);
    await page.getByLabel(/^Paste a curl/).fill("curl -X OPTIONS https://api.example.com/v1/own");
    await page.keyboard.press("Control+Enter");
    await page.evaluate("window.release()");
    await verdict("allow");
    const url = () => page.getByLabel("URL", { exact: true }).inputValue();
    await expect.poll(url).toBe("https://api.example.com/v1/own");
  });

  test("says allowed only of a request that a rule was evaluated for", async () => {
    const page = await playground.open();
    await verdict("allow");
    const { configs, rules: own } = JSON.parse(await rules().inputValue());
    await rules().fill(
      JSON.stringify({ configs, rules: own.map((rule: object) => ({ ...rule, enabled: false })) }),
    );
    await page.getByRole("heading", { name: "No rule" }).waitFor();
    await rules().fill(JSON.stringify({ configs, rules: own, operations: [] }));
    await page.getByRole("heading", { name: "No operation" }).waitFor();
    await rules().fill("{}");
    await page.getByRole("heading", { name: "No zone" }).waitFor();
    expect(await page.locator(".word.allow").count()).toBe(0);
  });

  test("shows a custom rule that decides as the tree of its parts with their values", async () => {
    const page = await playground.open();
    await verdict("allow");
    await sample("Refunds, from outside of the office");
    await verdict("block");
    const parts = await page.locator(".rule.decider .tree .leaf").allInnerTexts();
    expect(parts.map((part) => part.replaceAll(/\s+/g, " "))).toEqual([
      expect.stringMatching(/^and ?true/),
      expect.stringMatching(/^ends_with\(.*true/),
      expect.stringMatching(/^not ?true/),
      expect.stringMatching(/^ip\.src in \{192\.0\.2\.0\/24\} ?false/),
    ]);
    await page.getByLabel(/^Address of the client/).fill("");
    await verdict("undecided");
    await page.getByText("Explain", { exact: true }).first().click();
    expect(await page.locator(".tree .leaf.unknown").count()).toBeGreaterThan(1);
  });

  test("moves and deletes rules of both kinds in the text, by keyboard", async () => {
    const page = await playground.open();
    await verdict("allow");
    const ids = async () => JSON.parse(await rules().inputValue()).rules.map(({ id }: { id: string }) => id);
    await page.getByRole("button", { name: /^Move Orders.* up$/ }).press("Enter");
    await expect.poll(ids).toEqual(["orders", "reports"]);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: /^Delete Reports/ }).press("Enter");
    await expect.poll(ids).toEqual(["orders"]);
    await page.getByRole("button", { name: /^Delete Refunds/ }).press("Enter");
    await expect.poll(async () => JSON.parse(await rules().inputValue()).rulesets[0].rules).toEqual([]);
  });
});

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
