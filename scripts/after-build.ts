/** The steps of a build after the compiler: the JavaScript, the pages of the workbench and of the playground, the executable bit, and declarations that allow optional packages to be missing. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { assertSizes, buildPage } from "./build-page.ts";
import { buildPlayground } from "./build-playground.ts";
import { bundle } from "./bundle.ts";
import { allowMissing } from "./optional-types.ts";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));

await bundle();
await buildPage();
assertSizes(`${dist}workbench`);
await buildPlayground(`${dist}playground`);
await chmod(`${dist}cli/main.js`, 0o755);

for (const file of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".d.ts")) continue;
  // No entry exports the command line, so its types would be of no use.
  if (file.startsWith("cli")) {
    rmSync(dist + file);
    continue;
  }
  const text = readFileSync(dist + file, "utf8");
  const allowed = allowMissing(text);
  if (allowed !== text) writeFileSync(dist + file, allowed);
}
