/** Comments that cite the interface name a page and a heading that exist. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".ts"),
);

/** A page, and the heading behind it if one is named: `docs/interface/brand.md`, "Pictures at the edge". */
const citation = /docs\/interface\/([a-z]+)\.md`?(?:[,:]? (?:[*/ ]*\n[ *]*)?"([^"\n]+)")?/g;

/** Pages by the names that they had outside of this repository. */
const oldCitation = /spec\/[a-z]+\.md|`(?:tokens|brand|images|proxy|http|interface)\.md`/;

interface Citation {
  readonly where: string;
  readonly page: string;
  readonly heading: string | undefined;
}

const cited: readonly Citation[] = sources.flatMap((file) => {
  const text = readFileSync(`src/${file}`, "utf8");
  return [...text.matchAll(citation)].map(([, page = "", heading]) => ({
    where: `src/${file}`,
    page,
    heading,
  }));
});

const pages = new Map(
  readdirSync("docs/interface").map((name) => [
    name.replace(".md", ""),
    readFileSync(`docs/interface/${name}`, "utf8"),
  ]),
);

test("comments cite pages of the interface", () => {
  expect(cited.length).toBeGreaterThan(10);
});

test("every cited page and heading exists", () => {
  const broken = cited.filter(({ page, heading }) => {
    const text = pages.get(page);
    if (text === undefined) return true;
    const headings = text.split("\n").filter((line) => line.startsWith("#"));
    return heading !== undefined && !headings.some((line) => line.includes(heading));
  });
  expect(broken).toEqual([]);
});

test("no comment cites a page by a name that readers of the repository cannot find", () => {
  expect(sources.filter((file) => oldCitation.test(readFileSync(`src/${file}`, "utf8")))).toEqual([]);
});
