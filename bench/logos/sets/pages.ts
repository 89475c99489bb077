/** Pages that a browser rendered, hard transformations, and pictures without logos, of a part. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { grouped, type PagePicture, type Part, partFolder } from "../pages/cache.ts";
import { renderPart } from "../pages/render.ts";
import { type DataSet, thinned } from "./data-set.ts";

/**
 * @param count maximum number of pictures of a layout or a transformation
 */
export async function pages(part: Part, group: PagePicture["group"], count: number): Promise<DataSet> {
  const index = await renderPart(part, count);
  const read = (file: string) => readFileSync(join(partFolder(part), file));
  const ofGroup = index.pictures.filter((each) => each.group === group);
  const chosen = [...grouped(ofGroup, ({ layout }) => layout).values()].flatMap((list) =>
    thinned(list, count),
  );
  return {
    logos: index.logos.map(({ name, file }) => ({ name, png: read(file) })),
    async *pictures() {
      for (const { id, layout, file, shows } of chosen)
        yield { id, row: layout, bytes: read(file), shows: shows.map(({ name }) => ({ name })) };
    },
  };
}
