/** Writes what is generated from the code: run it after a change, the tests say when it was forgotten. */
import { mkdir, writeFile } from "node:fs/promises";
import { generated } from "./generated.ts";

for (const { path, make } of generated) {
  const url = new URL(`../${path}`, import.meta.url);
  await mkdir(new URL(".", url), { recursive: true });
  await writeFile(url, make());
}
