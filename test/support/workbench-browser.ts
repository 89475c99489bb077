/** Chromium for the tests of the workbench: its keyboard, and axe. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const isRequired = process.env["EDGEPROOF_REQUIRE_CHROMIUM"] !== undefined;

/** Whether the tests in a browser are skipped; they never are where `EDGEPROOF_REQUIRE_CHROMIUM` is set. */
export const isMissing = !isRequired && !existsSync(executablePath);
if (isMissing) console.error(`${executablePath} does not exist: the tests in a browser are SKIPPED`);

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let started: Promise<Browser> | undefined;

/** The browser of this process, which ends with it: each file has pages of its own, and closes them. */
export function sharedChromium(): Promise<Browser> {
  started ??= chromium.launch({ executablePath, args });
  return started;
}

const built = new Map<BuildFolder, Promise<string>>();

/** Writes files to a folder. */
type BuildFolder = (folder: string) => Promise<unknown>;

/** A folder with what is built, which is built once in this process. */
export function builtFolder(build: BuildFolder): Promise<string> {
  let folder = built.get(build);
  if (!folder) {
    folder = mkdtemp(join(tmpdir(), "edgeproof-built-")).then(async (path) => {
      await build(path);
      return path;
    });
    built.set(build, folder);
  }
  return folder;
}

/** Moves the focus forward until it is on the element. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 120; i++) {
    await page.keyboard.press("Tab");
    if (name.test(await page.evaluate(focusedName))) return;
  }
  throw new Error(`no focus on ${name}`);
}

/** Runs in the page: the name of the focused element, also inside of a shadow root. */
function focusedName(): string {
  // biome-ignore lint/suspicious/noExplicitAny: the types of the page's own objects are not loaded here
  const { document } = globalThis as any;
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const label = element?.labels?.[0]?.innerText ?? "";
  return element?.getAttribute?.("aria-label") ?? (label || element?.innerText || "");
}

/** Rules of axe that the page violates. */
export async function violations(page: Page): Promise<readonly string[]> {
  // Not an element of script: the policy of the page would reject it.
  await page.evaluate(axe);
  const run = "axe.run(document, { resultTypes: ['violations'] })";
  const { violations: found } = (await page.evaluate(run)) as {
    readonly violations: readonly {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }[];
  };
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" ")}`);
}
