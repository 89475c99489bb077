/** Pages of templates that others made, with a logo in the place of their brand. */

import { readFileSync } from "node:fs";
import type { Part } from "../pages/cache.ts";
import { pageLogos } from "../pages/page-logos.ts";
import { templatePictures } from "../templates/render.ts";
import { render } from "../transformations.ts";
import { type DataSet, thinned } from "./data-set.ts";

export async function templates(part: Part, count: number): Promise<DataSet> {
  const pictures = await templatePictures(part);
  const sources = pageLogos(part);
  const families = new Map(sources.map(({ name, family }) => [name, family]));
  const art = await Promise.all(
    sources.map(({ name, content, color }) => render(name, content, color, color)),
  );
  return {
    logos: art.map(({ name, png }) => ({ name, png })),
    async *pictures() {
      for (const { file, logo, height, box, effect, source } of thinned(pictures, count))
        yield {
          id: file,
          row: `${effect === "covered" ? "covered" : "whole"}, ${height < 16 ? "below" : "from"} 16 pixels`,
          bytes: readFileSync(file),
          shows: [{ name: logo, box }],
          // The page names the brand, as an icon or a link.
          isLeftOut: (name) => name !== logo && source.includes(families.get(name) ?? name),
        };
    },
  };
}
