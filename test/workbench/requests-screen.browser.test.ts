/** The screen Requests in Chromium: files, the history, the deciding rule, new and custom rules, with axe in both themes. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildPage } from "../../scripts/build-page.ts";
import { demoWorld, mintDemoKeys } from "../../src/cli/demo/api-world.ts";
import { demoWorldWithCustomRules } from "../../src/cli/demo/custom-rules.ts";
import { createEdge, type Edge } from "../../src/edge.ts";
import { startWorkbench, type Workbench } from "../../src/workbench/workbench.ts";
import { builtFolder, isMissing, sharedChromium, violations } from "../support/workbench-browser.ts";

let folder: string;
let pageFolder: string;
let browser: Browser;
let edge: Edge;
let workbench: Workbench;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  if (isMissing) return;
  folder = await mkdtemp(join(tmpdir(), "edgeproof-requests-"));
  pageFolder = await builtFolder(buildPage);
  edge = createEdge({ world: demoWorld(await mintDemoKeys()) });
  workbench = await startWorkbench({ edge, pageFolder, port: 0, version: "1.2.3" });
  browser = await sharedChromium();
});
afterAll(async () => {
  await workbench?.close();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(async () => {
  await page?.close();
});

async function open(width = 1200, address = workbench.url): Promise<void> {
  complaints = [];
  page = await browser.newPage({ viewport: { width, height: 700 }, reducedMotion: "reduce" });
  page.setDefaultTimeout(20_000);
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address);
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
    await page.getByRole("heading", { name: /^No (operation|rule)$/ }).waitFor();
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
    await page.getByRole("heading", { name: /^No (operation|rule)$/ }).waitFor();
    expect(await history().count()).toBe(2);
    expect(await history().first().innerText()).toMatch(/^[\d:]+\s+no (operation|rule)/);
    await history().nth(1).getByRole("button").click();
    await page.locator(".word.block").waitFor();
    expect(await field.inputValue()).toBe(url("/v1/orders"));
    expect(await history().count()).toBe(2);
    await expectNoViolations();
    await page.getByRole("button", { name: "Forget them" }).click();
    expect(await history().count()).toBe(0);
  });
});

describe.skipIf(isMissing)("the order of rules", () => {
  test("is changed and a rule is deleted by keyboard, and the focus stays in the list", async () => {
    await open();
    const titles = () => page.locator("section[aria-labelledby=rules-title] .rule h3").allInnerTexts();
    const [first = "", second = "", ...rest] = await titles();
    await page.getByRole("button", { name: `Move ${first} down` }).press("Enter");
    await expect.poll(titles).toEqual([second, first, ...rest]);
    const focused = "document.activeElement.getAttribute('aria-label')";
    await expect.poll(() => page.evaluate(focused)).toBe(`Move ${first} down`);
    expect(await page.getByText(`${first} is rule 2 of ${rest.length + 2}.`).count()).toBe(1);
    await page.getByRole("button", { name: `Move ${first} up` }).press("Enter");
    await expect.poll(titles).toEqual([first, second, ...rest]);
    await expect.poll(() => page.evaluate(focused)).toBe(`Move ${first} up`);
    await page.getByRole("button", { name: `Move ${first} up` }).press("Enter");
    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("button", { name: `Delete ${first}`, exact: true }).press("Enter");
    expect(await titles()).toEqual([first, second, ...rest]);
    await expectNoViolations();
    // The other tests need the rules of the demo.
    const other = createEdge({ world: demoWorld(await mintDemoKeys()) });
    const own = await startWorkbench({
      edge: other,
      pageFolder,
      port: 0,
      version: "1",
    });
    try {
      await page.goto(own.url);
      await page.locator("#rules-title").waitFor();
      page.once("dialog", (dialog) => void dialog.accept());
      await page.getByRole("button", { name: `Delete ${first}`, exact: true }).press("Enter");
      await expect.poll(titles).toEqual([second, ...rest]);
      await expect
        .poll(() => page.evaluate("document.activeElement.closest('li')?.innerText"))
        .toContain(second);
    } finally {
      await page.close();
      await own.close();
    }
  });
});

describe.skipIf(isMissing)("the verdict", () => {
  test("is on the first screen of a phone", async () => {
    await open(390);
    const { y = 0, height = 0 } = (await page.locator(".word").boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThan(700);
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

async function typeRequest(method: string, path: string): Promise<void> {
  await page.getByLabel("Method").fill(method);
  await page.getByLabel("URL", { exact: true }).fill(url(path));
  await page.locator("#verdict-title:not(.none)").waitFor();
}

/** Types into the editor; a key closes the list of completions, so that it covers nothing. */
async function typeExpression(text: string): Promise<void> {
  await page.locator(".cm-content").waitFor();
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
  await page.keyboard.press("Escape");
}

describe.skipIf(isMissing)("a new rule", () => {
  test("keeps the focus where the user types when its editor is loaded late", async () => {
    await open();
    let load = () => {};
    const isTyped = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(/\/editor-\w+\.js$/, async (route) => {
      await isTyped;
      await route.continue();
    });
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByLabel("Title").focus();
    await page.keyboard.type("Products: ");
    load();
    await page.locator(".cm-content").waitFor();
    await page.keyboard.type("with a token");
    expect(await page.getByLabel("Title").inputValue()).toBe("Products: with a token");
  });

  test("with its action and selector shows its effect, and is saved on request only", async () => {
    await open();
    await typeRequest("GET", "/v1/products");
    await page.locator(".word.log").waitFor();
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByLabel("Title").fill("Products: with a token");
    await typeExpression('http.request.method eq "POST"');
    await page.locator(".draft-result .word-small.block").waitFor();
    await page.getByText("Selector: 8 of 8 operations").click();
    await page.getByLabel("GET api.shop.example/v1/products", { exact: true }).uncheck();
    await page.locator(".draft-result .word-small.log").waitFor();
    await page.getByLabel("GET api.shop.example/v1/products", { exact: true }).check();
    await page.getByLabel("Action").selectOption("log");
    await page.locator(".draft-result .counterexample").waitFor();
    await expectNoViolations();
    const titles = async () => (await edge.tokens.rules.list("shop")).items.map(({ title }) => title);
    expect(await titles()).not.toContain("Products: with a token");
    await page.getByRole("button", { name: "Save the new rule" }).click();
    await page.locator(".rule", { hasText: "Products: with a token" }).waitFor();
    expect((await titles()).at(-1)).toBe("Products: with a token");
    expect(await page.evaluate("document.activeElement.querySelector('h3')?.innerText")).toBe(
      "Products: with a token",
    );
    const added = (await edge.tokens.rules.list("shop")).items.at(-1)!;
    await edge.tokens.rules.delete("shop", added.id);
  });

  test("does not match where its selector says so, and ids are shown on demand", async () => {
    await open(320);
    await typeRequest("POST", "/v1/orders");
    const feed = page.locator(".rule", { hasText: "Partner feed" });
    expect(await feed.locator(".selector").innerText()).toMatch(
      /leaves out the operation of this request.*api\.shop\.example, without 7 operations/s,
    );
    await feed.getByText("Left out").click();
    expect(await feed.locator(".selector li").allInnerTexts()).toContain("POST api.shop.example/v1/orders");
    const id = /[0-9a-f]{8}-[0-9a-f]{4}/;
    expect(await feed.innerText()).not.toMatch(id);
    expect(await feed.locator(".expression").innerText()).toContain("Partner identity provider");
    await page.getByLabel("Show ids").check();
    expect(await feed.innerText()).toMatch(id);
    await expectNoViolations();
  });
});

describe.skipIf(isMissing)("custom rules", () => {
  beforeAll(async () => {
    if (isMissing) return;
    const keys = await mintDemoKeys();
    const account = { id: "demo", name: "Demo" };
    custom = createEdge({ world: demoWorldWithCustomRules(keys, account) });
    customWorkbench = await startWorkbench({
      edge: custom,
      pageFolder,
      port: 0,
      version: "1.2.3",
    });
  });
  afterAll(() => customWorkbench?.close());
  let custom: Edge;
  let customWorkbench: Workbench;

  test("ask for the address of the client, and decide with it", async () => {
    await open(320, customWorkbench.url);
    await typeRequest("GET", "/v1/admin/");
    await page.locator(".word.undecided").waitFor();
    await expectNoViolations();
    await page.getByRole("button", { name: "Say ip.src" }).click();
    await page.keyboard.type("198.51.100.7");
    await page.locator(".word.block").waitFor();
    expect(await page.locator(".decision").innerText()).toMatch(/decided by Reports: from the office only/);
    expect(await page.locator(".rule.decider .expression .leaf.false").innerText()).toMatch(
      /false: 198\.51\.100\.7/,
    );
    await page.getByLabel("Address of the client").fill("198.51.100");
    await page.getByText(/`ip` must be/).waitFor();
  });

  // Once, beside other work, the problem of the unfinished text did not appear within 20 s; the cause is not known.
  test("are completed, checked and saved as token rules are, and ask for the fields that they read", {
    retry: 2,
  }, async () => {
    await open(1200, customWorkbench.url);
    await typeRequest("GET", "/v1/products");
    await page.getByRole("button", { name: "Edit Trainees place no orders" }).click();
    await typeExpression(' or lookup_json_string(http.request.jwt.claims["');
    await page.keyboard.press("Control+Space");
    await page.locator(".cm-tooltip-autocomplete").getByText("Partner identity provider").waitFor();
    // The list accepts no key in its first moments.
    await page.waitForTimeout(300);
    await page.keyboard.press("Enter");
    await page.locator(".cm-content", { hasText: /"b7d2a4c0-[-0-9a-f]+"/ }).waitFor();
    await page.locator(".draft .error", { hasText: "Expected" }).waitFor();
    await page.keyboard.type(', "plan") eq "free" or ip.src.country eq "DE"');
    await page.locator(".draft-result .word-small.undecided").waitFor();
    await page.locator(".draft-result .counterexample").waitFor();
    await page.keyboard.press("Escape");
    await expectNoViolations();
    const saved = async () => (await custom.tokens.rulesets.get("zones", "shop", "shop-custom")).rules[1]!;
    expect((await saved()).version).toBe("1");
    await page.getByRole("button", { name: "Save the rule" }).click();
    await page.locator(".word.undecided").waitFor();
    expect(await saved()).toMatchObject({ version: "2", expression: expect.stringContaining("plan") });
    await page.getByLabel("ip.src.country").fill("DE");
    await page.locator(".word.block").waitFor();
    await expectNoViolations();
  });
});
