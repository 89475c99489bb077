import type { BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { buildPage } from "../../scripts/build-page.ts";
import { demoAccount } from "../../src/cli/demo/account.ts";
import { photo } from "../../src/cli/demo/photo.ts";
import { createEdge, type Edge } from "../../src/edge.ts";
import { startWorkbench, type Workbench } from "../../src/workbench/workbench.ts";
import { builtFolder, isMissing, sharedChromium, tabTo, violations } from "../support/workbench-browser.ts";

let context: BrowserContext;
let page: Page;
let edge: Edge;
let workbench: Workbench;
/** Everything that the page complained about, and every origin that it asked. */
let complaints: string[] = [];
const asked = new Set<string>();

beforeAll(async () => {
  if (isMissing) return;
  edge = createEdge({ world: { accounts: [demoAccount(), { id: "empty" }] } });
  workbench = await startWorkbench({
    edge,
    pageFolder: await builtFolder(buildPage),
    port: 0,
    version: "1.2.3",
  });
  context = await (await sharedChromium()).newContext({
    viewport: { width: 1200, height: 900 },
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(90_000);
  page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => asked.add(new URL(request.url()).protocol + new URL(request.url()).host));
});
afterAll(async () => {
  await context?.close();
  await workbench?.close();
  await edge?.close();
});
afterEach(() => {
  const host = new URL(workbench?.url ?? "http://none").host;
  // Pictures in memory have no host.
  expect([...asked].filter((address) => address !== `http:${host}` && address !== "blob:")).toEqual([]);
  expect(complaints).toEqual([]);
  complaints = [];
});

/** Opens the page again, in the same window. */
async function open(query: string): Promise<void> {
  const { origin, hash } = new URL(workbench.url);
  await page.goto("about:blank");
  await page.goto(`${origin}/?${query}${hash}`);
}

const names = "screen=names&account=demo&query=names-1";
const logos = "screen=names&account=demo&query=logos-1";

describe.skipIf(isMissing)("names and logos", () => {
  test("a name is dismissed and listed again by keyboard, and the focus stays", async () => {
    await open("screen=names");
    await page.getByText("11 of 11 matches").waitFor();
    expect(
      await page.locator(".match", { hasText: "xn--nrthwind-n4a" }).locator("mark").allInnerTexts(),
    ).toEqual(["nörthwind", "xn--nrthwind-n4a"]);
    await tabTo(page, /^Dismiss northw1nd\.com/);
    await page.keyboard.press("Enter");
    await page.getByText("Dismissed northw1nd.com.").waitFor();
    const list = () => edge.brand.matches.list("demo", { query_id: ["1"] });
    expect((await list()).total).toBe(10);
    // The same button, which still has the focus, undoes it.
    await page.keyboard.press("Enter");
    await page.getByText("northw1nd.com is listed again.").waitFor();
    expect((await list()).total).toBe(11);
  });

  test("the threshold goes from the query's own to 1 by keyboard, and is there after a reload", async () => {
    await open(names);
    await page.getByText("11 of 11 matches").waitFor();
    const control = page.getByRole("slider");
    expect(await control.getAttribute("min")).toBe("0.73");
    await tabTo(page, /^Minimum score/);
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
    await page.getByText("7 of 11 matches").waitFor();
    expect(new URL(page.url()).searchParams.get("min")).toMatch(/^0\.7\d$/);
    const address = page.url();
    await page.reload();
    await page.getByText("7 of 11 matches").waitFor();
    expect(page.url()).toBe(address);
    await tabTo(page, /^Minimum score/);
    await page.keyboard.press("End");
    await page.getByText("0 of 11 matches").waitFor();
  });

  test("a logo has its picture and its box, and is dismissed by keyboard", async () => {
    await open("screen=names&account=demo");
    await tabTo(page, /^Our logo/);
    await page.keyboard.press("Enter");
    await page.locator(".logo-grid svg").nth(3).waitFor();
    const sources = await page
      .locator("img")
      .evaluateAll((all) => all.map((image) => image.getAttribute("src")));
    expect(sources.filter((source) => !source?.startsWith("blob:"))).toEqual([]);
    const [first] = (
      await edge.brand.logos.matches.list("demo", { query_id: "1", orderBy: "similarityScore" })
    ).matches;
    const drawn = page.locator(".logo-grid svg").first().locator(".box");
    expect(Number(await drawn.getAttribute("width"))).toBe(first?.match.box?.width);
    await tabTo(page, /^Dismiss northw1nd/);
    await page.keyboard.press("Enter");
    await page.getByText("Dismissed northw1nd.com.").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("is listed again").waitFor();
  });
});

const harbor = "screen=pictures&account=demo&image=harbor&accept=webp";

describe.skipIf(isMissing)("pictures", () => {
  test("a stored image is compared and signed by keyboard, and the view is there after a reload", async () => {
    await open(harbor);
    await page.getByText("8 renderings").waitFor();
    await tabTo(page, /^Compare thumbnail/);
    await page.keyboard.press("Enter");
    await page.getByText("After thumbnail (cover, 160 x 160)").waitFor();
    const address = page.url();
    await page.reload();
    await page.getByText("After thumbnail (cover, 160 x 160)").waitFor();
    await page.getByText("8 renderings").waitFor();
    expect(page.url()).toBe(address);
    expect(await page.locator(".logo-grid .facts").first().innerText()).toMatch(/320 x 480.*kB.*WebP.* ms/s);
    await tabTo(page, /^Sign$/);
    await page.keyboard.press("Enter");
    const signed = await page.locator(".signed code").innerText();
    // The address that the page shows is delivered, and another one with its signature is not.
    const statusOf = async (path: string) =>
      (await edge.fetch(new Request(`https://edge.test${path}`))).status;
    const members = signed.replace("/harbor/", "/members/");
    expect([await statusOf(signed), await statusOf(members)]).toEqual([200, 403]);
    expect(page.url()).not.toContain("sig");
    await tabTo(page, /^Copy/);
    await page.keyboard.press("Enter");
    await page.getByText("copied", { exact: true }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(signed);
  });

  test("dropped files are rendered, or rejected with the reason; scripts in them do not run", async () => {
    await open("screen=pictures&account=empty");
    await page.getByText("No picture yet").waitFor();
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30"/></svg>`;
    await page.locator("input[type=file]").setInputFiles([
      { name: "harbor.jpg", mimeType: "image/jpeg", buffer: Buffer.from(photo) },
      { name: "shape.svg", mimeType: "image/svg+xml", buffer: Buffer.from(svg) },
      {
        name: "notes.png",
        mimeType: "image/png",
        buffer: Buffer.from("<script>document.title = 1</script>"),
      },
    ]);
    await page.getByText("it is not an image").waitFor();
    await page.getByText("6 renderings").waitFor();
    await page.getByRole("button", { name: /^shape\.svg/ }).press("Enter");
    await page.locator(".side-by-side .facts", { hasText: "SVG" }).first().waitFor();
    expect((await edge.images.list("empty")).info.total_count).toBe(0);
    // The browser reports the response with which the file was rejected.
    complaints = complaints.filter((text) => !text.startsWith("Failed to load resource"));
  });
});

describe.skipIf(isMissing)("axe finds nothing, and the page does not scroll sideways at 320 pixels", () => {
  const views = [
    ["names", names, "11 of 11 matches"],
    ["logos", logos, /^\d of \d matches/],
    ["no queries", "screen=names&account=empty", "Nothing to look for yet"],
    ["names of a missing account", "screen=names&account=missing", "There is no account"],
    ["pictures", harbor, "8 renderings"],
    ["no pictures", "screen=pictures&account=empty", "No picture yet"],
    ["pictures of a missing account", "screen=pictures&account=missing", "There is no account"],
  ] as const;

  test.each(views)("%s", async (_title, query, text) => {
    await open(query);
    await page.getByText(text).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect([colorScheme, await violations(page)]).toEqual([colorScheme, []]);
    }
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
    await page.setViewportSize({ width: 1200, height: 900 });
    if (query.includes("missing"))
      complaints = complaints.filter((complaint) => !complaint.startsWith("Failed to load"));
  });
});
