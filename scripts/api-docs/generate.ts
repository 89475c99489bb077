/** The API reference in `docs/api`: one page an entry, made from the docstrings by typedoc. */
import { rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { Application } from "typedoc";
import type { PluginOptions } from "typedoc-plugin-markdown";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

const pages: PluginOptions = {
  outputFileStrategy: "modules",
  entryFileName: "README",
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  parametersFormat: "table",
  interfacePropertiesFormat: "table",
  typeAliasPropertiesFormat: "table",
  classPropertiesFormat: "table",
};

/** Writes the reference into a folder, which is emptied first. */
export async function writeApiReference(folder: string): Promise<void> {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: [`${root}/src/entries/*.ts`, `${root}/src/entries/*/*.ts`],
    tsconfig: `${root}/tsconfig.json`,
    plugin: ["typedoc-plugin-markdown"],
    outputs: [{ name: "markdown", path: folder }],
    name: "edgeproof",
    readme: "none",
    disableSources: true,
    hideGenerator: true,
    // `npm run check:types` has checked them, with the project's own compiler.
    skipErrorChecking: true,
    validation: { invalidLink: true, notExported: false },
    groupOrder: ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables"],
    logLevel: "Warn",
    ...pages,
  });
  const project = await app.convert();
  if (!project) throw new Error("typedoc could not read the sources.");
  rmSync(folder, { recursive: true, force: true });
  await app.generateOutputs(project);
}

if (argv[1] === fileURLToPath(import.meta.url)) await writeApiReference(`${root}/docs/api`);
