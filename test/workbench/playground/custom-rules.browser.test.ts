/** Custom rules on the page of the playground: zones, inputs for what a request does not say, comparison, links. */
import { describe, expect, test } from "vitest";
import { usePlayground } from "../../support/playground-browser.ts";
import { isMissing, tabTo, violations } from "../../support/workbench-browser.ts";

const playground = usePlayground();

const entryOf = (expression: string) => [
  {
    kind: "zone",
    phase: "http_request_firewall_custom",
    rules: [{ description: "Outside", action: "block", expression }],
  },
];
const world = JSON.stringify(
  {
    accounts: [{ id: "a1", lists: [{ name: "office", kind: "ip", items: ["192.0.2.0/24"] }] }],
    zones: [
      { id: "z1", name: "shop.example", rulesets: entryOf("not ip.src in $office") },
      { id: "z2", name: "blog.example", rulesets: entryOf("cf.bot_management.score lt 30") },
    ],
  },
  null,
  2,
);

const verdict = (action: string) => playground.page().locator(`.word.${action}`).waitFor();
const rules = () => playground.page().getByLabel("A world file, or the configurations");

async function openWorld(width?: number) {
  const page = await playground.open("", width);
  await verdict("allow");
  await rules().fill(world);
  await page.getByLabel("URL", { exact: true }).fill("https://shop.example/");
  await page.getByLabel("Headers, one a line").fill("");
  await verdict("undecided");
  return page;
}

describe.skipIf(isMissing)("custom rules in the playground", () => {
  test("name a list that is missing, which no input can give", async () => {
    const page = await openWorld();
    await rules().fill(world.replace('"name": "office"', '"name": "home"'));
    await page.getByText("needs $office among the lists of the account").waitFor();
    expect(await page.getByRole("button", { name: /^Say/ }).allInnerTexts()).toEqual(["Say ip.src"]);
  });

  test("say what an undecided verdict needs, and are decided with it, by keyboard", async () => {
    const page = await openWorld();
    expect(await page.locator(".because").innerText()).toMatch(/the custom rules need `?ip`? of the request/);
    await tabTo(page, /^Say ip\.src/);
    await page.keyboard.press("Enter");
    await page.keyboard.type("198.51.100.1");
    await verdict("block");
    await page.getByRole("heading", { name: "Outside" }).waitFor();
    await page.getByText("matches", { exact: true }).waitFor();
    await page.getByLabel(/^Address of the client/).fill("192.0.2.7");
    await verdict("allow");
    await page.locator("label.zone select").selectOption("blog.example");
    await verdict("undecided");
    await page.getByLabel(/^cf\.bot_management\.score/).fill("12");
    await verdict("block");
  });

  test("are compared, with the address of the counterexample", async () => {
    const page = await openWorld();
    await page.getByRole("button", { name: "Keep the rules above" }).click();
    await rules().fill(world.replace("192.0.2.0/24", "192.0.2.0/25"));
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.locator(".counterexample").waitFor();
    expect(await page.locator(".counterexample").innerText()).toMatch(/ip = 192\.0\.2\.\d+/);
    await page.getByRole("button", { name: "Use this request" }).click();
    await verdict("block");
  });

  test("are in a link with the zone and the values of the request", async () => {
    let page = await openWorld();
    await page.locator("label.zone select").selectOption("blog.example");
    await page.getByLabel(/^cf\.bot_management\.score/).fill("12");
    await verdict("block");
    await page.getByRole("button", { name: "Make a link" }).click();
    const link = await page.locator("#link").inputValue();
    await page.close();
    page = await playground.open(new URL(link).hash);
    await verdict("block");
    expect(await page.locator("label.zone select").inputValue()).toBe("z2");
    expect(await page.getByLabel(/^cf\.bot_management\.score/).inputValue()).toBe("12");
  });

  test("have no violations of axe in both themes, and fit 320 pixels", async () => {
    const page = await openWorld(320);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
    }
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
  });
});
