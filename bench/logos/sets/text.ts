/** Pages of running text without logos. */

import { readFileSync } from "node:fs";
import { chance } from "../collection.ts";
import type { Part } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { pageFamilies, textPages } from "../text/text-pages.ts";
import { render } from "../transformations.ts";
import type { DataSet } from "./data-set.ts";

/** Number of logos. */
const logoCount = 100;

export async function text(part: Part, count: number): Promise<DataSet> {
  const found = await textPages(part, await pageFamilies(part), count);
  const sources = [...pageLogos(part)]
    .sort((a, b) => chance("text", a.name) - chance("text", b.name))
    .slice(0, logoCount);
  const art = await Promise.all(
    sources.map(({ name, content, color }) => render(name, content, color, color)),
  );
  return {
    logos: art.map(({ name, png }) => ({ name, png })),
    async *pictures() {
      for (const { file, text: words } of found)
        yield {
          id: file,
          row: "",
          bytes: readFileSync(file),
          shows: [],
          isLeftOut: (name) => wordOf(name).test(words),
        };
    },
  };
}

/** The name of a brand as a word: the whole name, or its first word. */
function wordOf(name: string): RegExp {
  const parts = name.slice(name.indexOf("/") + 1).match(/[\p{L}\p{N}]+/gu) ?? [];
  const words = [parts.join("[^\\p{L}\\p{N}]"), parts[0] ?? ""];
  return new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})(?![\\p{L}\\p{N}])`, "iu");
}
