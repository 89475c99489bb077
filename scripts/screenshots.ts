/**
 * Takes the pictures of docs/workbench.md and docs/playground.md: `node --import tsx scripts/screenshots.ts [folder]`. It builds the pages, opens
 * them in a headless Chromium (`CHROMIUM` names another one), the workbench over the data of the demo, and writes to
 * `docs/pictures`, or to the folder that is named.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Page } from "playwright-core";
import sharp from "sharp";
import { runCommandLine } from "../src/cli/run.ts";
import { buildPage } from "./build-page.ts";
import { buildPlayground } from "./build-playground.ts";

const root = resolve(import.meta.dirname, "..");
const folder = resolve(process.argv[2] ?? join(root, "docs/pictures"));
const isWhole = process.argv[2] !== undefined;

interface Shot {
  readonly name: string;
  /** The screen of the workbench, or the page of the playground. */
  readonly screen: string;
  /** Of the picture, in pixels, when it is not that of a screen. */
  readonly height?: number;
  readonly prepare?: (page: Page) => Promise<void>;
  /** The part of the page that the document shows; the top of the page by default. */
  readonly part?: string;
}

/** The pictures of the document; a folder that is named gets all. */
const documented: readonly string[] = [
  "workbench-requests",
  "workbench-edit",
  "workbench-names",
  "workbench-pictures",
  "playground",
];

function isChosen({ name }: Shot): boolean {
  return isWhole || documented.includes(name);
}

async function chooseSample(page: Page, title: string): Promise<void> {
  await page.getByLabel("Or begin with a sample").selectOption({ label: title });
  await page.locator(".word.allow, .word.log, .word.block").waitFor();
}

const invalidApplication = JSON.stringify(
  {
    protocol: "tcp/443",
    dns: { type: "CNAME", name: "ssh.shop.example" },
    origin_direct: ["tcp://2001:db8::1:443"],
  },
  null,
  2,
);

const shots: readonly Shot[] = [
  {
    name: "workbench-requests",
    screen: "requests",
    prepare: (page) => chooseSample(page, "Expired two minutes ago"),
  },
  {
    name: "workbench-edit",
    screen: "requests",
    part: ".rule:has(.draft)",
    prepare: async (page) => {
      await chooseSample(page, "An order by a trainee");
      await page.getByRole("button", { name: /^Edit Trainees/ }).click();
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(' and ip.src.country ne "NL"', { delay: 5 });
      await page.keyboard.press("Escape");
      await page.locator(".counterexample").waitFor();
      // It would cover the part.
      await page.evaluate("document.querySelector('.decision').style.position = 'static'");
    },
  },
  {
    name: "workbench-applications",
    screen: "applications",
    prepare: async (page) => {
      await page.getByLabel("Application as JSON").fill(invalidApplication);
      await page.getByText("Rejected").waitFor();
    },
  },
  {
    name: "workbench-names",
    screen: "names",
    prepare: async (page) => {
      await page.getByLabel("Show dismissed").check();
      await page.getByText("northw1nd.com").waitFor();
      const dismiss = page.getByRole("button", { name: "Dismiss mynorthwinds.info" });
      if ((await dismiss.count()) > 0) await dismiss.click();
      await page.getByRole("button", { name: /^Undo/ }).waitFor();
    },
  },
  {
    name: "workbench-logos",
    screen: "names",
    prepare: async (page) => {
      await page.getByRole("button", { name: /^Our logo/ }).click();
      await page.locator(".logo-grid svg").nth(3).waitFor();
    },
  },
  {
    name: "workbench-pictures",
    screen: "pictures",
    prepare: async (page) => {
      await page.getByRole("button", { name: /^harbor/ }).click();
      await page.getByLabel("The client accepts").selectOption("webp");
      await page.getByText("8 renderings").waitFor();
      await page.getByLabel("Compare teaser").click();
      await page.getByRole("button", { name: "Sign", exact: true }).click();
      await page.locator(".signed code").waitFor();
    },
  },
  {
    name: "playground",
    screen: "playground",
    height: 1000,
    prepare: async (page) => {
      const rules = page.getByLabel("A world file, or the configurations");
      const compare = page.getByRole("button", { name: "Compare", exact: true });
      await chooseSample(page, "A token that another key has signed");
      await page.getByRole("button", { name: /^Keep the rules above/ }).click();
      await rules.fill((await rules.inputValue()).replace("OPTIONS", "HEAD"));
      await compare.click();
      await page.locator(".counterexample").waitFor();
      await page.locator(".word.block").waitFor();
    },
  },
];

async function take(
  url: string,
  playground: string,
  width: number,
  scheme: "light" | "dark",
  suffix: string,
): Promise<void> {
  const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  try {
    for (const { name, screen, prepare, part, height } of shots.filter(isChosen)) {
      const viewport = { width, height: height ?? (width < 600 ? 800 : 560) };
      const page = await browser.newPage({ viewport, colorScheme: scheme, reducedMotion: "reduce" });
      page.on("console", (message) => console.error(`${name}: ${message.text()}`));
      page.on("pageerror", (error) => console.error(`${name}: ${error.message}`));
      const { origin, hash } = new URL(url);
      await page.goto(screen === "playground" ? playground : `${origin}/?screen=${screen}${hash}`);
      await page.getByRole("navigation").waitFor();
      await prepare?.(page);
      await page.evaluate(
        "for (const area of [window, ...document.querySelectorAll('textarea')]) area.scrollTo(0, 0)",
      );
      await page.waitForTimeout(300);
      const shown = part === undefined || isWhole ? page : page.locator(part);
      const picture = await shown.screenshot(isWhole ? { fullPage: true } : {});
      // The package has these pictures: few colors keep it small.
      const small = isWhole ? sharp(picture) : sharp(picture).png({ palette: true, colours: 16, effort: 10 });
      await small.toFile(join(folder, `${name}${suffix}.png`));
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

const pageFolder = mkdtempSync(join(tmpdir(), "edgeproof-page-"));
const stop = new AbortController();
try {
  await buildPage(pageFolder);
  await buildPlayground(join(pageFolder, "playground"));
  const playground = pathToFileURL(join(pageFolder, "playground", "index.html")).href;
  const output = { isTerminal: false, write: (text: string) => void process.stderr.write(text) };
  let onUrl = (_url: string) => {};
  const printed = new Promise<string>((done) => {
    onUrl = done;
  });
  const running = runCommandLine(["workbench", "--port", "0", "--json"], {
    stdin: (async function* () {})(),
    stdout: { ...output, write: (text) => onUrl((JSON.parse(text) as { url: string }).url) },
    stderr: output,
    env: { EDGEPROOF_PAGE: pageFolder },
    signal: stop.signal,
  });
  const address = await Promise.race([printed, running.then(() => Promise.reject(new Error("it stopped")))]);
  await take(address, playground, isWhole ? 1200 : 900, "light", "");
  if (isWhole) {
    await take(address, playground, 1200, "dark", "-dark");
    await take(address, playground, 320, "light", "-narrow");
  }
  stop.abort();
  await running;
} finally {
  stop.abort();
  rmSync(pageFolder, { recursive: true });
}
