/** What a build needs beside the compiler: the executable bit, and declarations that stand without optional packages. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { allowMissing } from "./optional-types.ts";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

await chmod(`${dist}cli/main.js`, 0o755);

for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".d.ts")) continue;
  const text = readFileSync(dist + file, "utf8");
  const allowed = allowMissing(text);
  if (allowed !== text) writeFileSync(dist + file, allowed);
}
