/** The site of the guides and the API reference works from a file path. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { writeSite } from "../scripts/api-docs/site.ts";
import { isMissing, sharedChromium } from "./support/workbench-browser.ts";

describe("the site", () => {
  const site = mkdtempSync(join(tmpdir(), "edgeproof-site-"));
  beforeAll(async () => {
    expect(await writeSite(site)).toBe(0);
  });

  /** The values of attributes in a page. */
  function attributesOf(page: string, name: string): readonly string[] {
    const found = readFileSync(page, "utf8").matchAll(new RegExp(`\\s(?:${name})="([^"]*)"`, "g"));
    return [...found].map(([, value = ""]) => value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
  }

  test("has no dead link and no dead anchor", () => {
    const anchors = new Map<string, ReadonlySet<string>>();
    const isAlive = (page: string, link: string) => {
      const [path = "", anchor = ""] = link.split("#").map(decodeURIComponent);
      const target = path === "" ? page : join(dirname(page), path);
      if (!existsSync(target) || !statSync(target).isFile()) return false;
      if (anchor === "" || !target.endsWith(".html")) return true;
      const known = anchors.get(target) ?? new Set(attributesOf(target, "id|name"));
      anchors.set(target, known);
      return known.has(anchor);
    };
    const pages = readdirSync(site, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".html"),
    );
    const links = pages.flatMap((page) =>
      attributesOf(join(site, page), "href|src")
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => ({ page, link })),
    );
    expect(links.length).toBeGreaterThan(10_000);
    expect(links.filter(({ page, link }) => !isAlive(join(site, page), link))).toEqual([]);
  });

  test.skipIf(isMissing)(
    "finds guides before public names, and both by their names, from a file path and offline",
    async () => {
      const page = await (await sharedChromium()).newPage();
      try {
        const outside: string[] = [];
        page.on("request", (request) => {
          if (!/^(?:file|data|blob):/.test(request.url())) outside.push(request.url());
        });
        await page.goto(pathToFileURL(join(site, "index.html")).href);
        for (const [word, target] of [
          ["custom rules", "Custom rules"],
          ["baseline", "In a project"],
          ["renderVariant", "renderVariant"],
        ] as const) {
          await page.click("#tsd-search-trigger");
          await page.fill("#tsd-search-input", word);
          const result = page.locator("#tsd-search-results a", { hasText: target }).first();
          await result.click();
          await page.waitForURL(/\/(?:documents|functions)\//);
          expect(await page.textContent("h1")).toContain(target);
        }
        // No page has the name as its title: the first hit is a guide, and contains the word.
        for (const word of ["zone-name", "--zone-name", "--given"]) {
          await page.click("#tsd-search-trigger");
          await page.fill("#tsd-search-input", word);
          await page.locator("#tsd-search-results a").first().click();
          await page.waitForURL(/\/documents\//);
          expect(await page.textContent(".col-content")).toContain(word);
        }
        expect(outside).toEqual([]);
      } finally {
        await page.close();
      }
    },
  );
});
