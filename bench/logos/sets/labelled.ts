/** Labelled screenshots: `queries/<logo>.png`, and `index.json`, a list of `{ page, shows, older }`. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DataSet, thinned } from "./data-set.ts";

interface Label {
  readonly page: string;
  readonly shows: readonly string[];
  /** Logos that count neither as shown nor as missing. */
  readonly older: readonly string[];
}

export async function labelled(folder: string, count: number): Promise<DataSet> {
  const labels = JSON.parse(readFileSync(join(folder, "index.json"), "utf8")) as readonly Label[];
  const files = readdirSync(join(folder, "queries")).filter((file) => file.endsWith(".png"));
  return {
    logos: files.map((file) => ({
      name: file.slice(0, -4),
      png: readFileSync(join(folder, "queries", file)),
    })),
    async *pictures() {
      for (const { page, shows, older } of thinned(labels, count))
        yield {
          id: page,
          row: "shown",
          bytes: readFileSync(join(folder, page)),
          shows: shows.map((name) => ({ name })),
          isLeftOut: (name) => older.includes(name),
        };
    },
  };
}
