/** Modified logos alone or on drawn layouts. */

import sharp from "sharp";
import { chance, chooseLogos, type Half } from "../collection.ts";
import { picturesWithoutLogo } from "../layouts.ts";
import { png, render, transformationsOf } from "../transformations.ts";
import type { DataSet } from "./data-set.ts";

/** Seed of the published evaluation. */
const seed = 1;

export async function isolated(half: Half, count: number): Promise<DataSet> {
  const chosen = chooseLogos(half, count, seed);
  const art = await Promise.all(
    chosen.map(({ name, svg, color }) => {
      const other = chosen[Math.floor(chance(seed, "colour", name) * chosen.length)]?.color ?? color;
      return render(name, svg, color, other);
    }),
  );
  return {
    logos: art.map((each) => ({ name: each.name, png: each.png })),
    async *pictures() {
      for (const each of art) {
        for (const [row, transform] of Object.entries(transformationsOf(half))) {
          const bytes = await transform(each, seed);
          if (bytes) yield { id: `${each.name} ${row}`, row, bytes, shows: [{ name: each.name }] };
        }
      }
      for (const [i, svg] of picturesWithoutLogo(half).entries())
        yield { id: `without ${i}`, row: "", bytes: await png(sharp(Buffer.from(svg))), shows: [] };
    },
  };
}
