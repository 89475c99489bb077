/**
 * Bundles the executable: what every command needs at its start, and all commands in one file that is loaded after it.
 * Node.js opens all files of an import at once; with one file a module, a command would need 200 descriptors.
 *
 * Dependencies stay outside. They are loaded with `require` when a module that needs them runs, one file after another;
 * their modules of ECMAScript would be opened at once too, and a failed `import` is kept.
 */
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { type Plugin, rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Modules that stand for packages. */
const prefix = "\0package:";

/** Replaces a package by a module of CommonJS that requires it. */
const requirePackages: Plugin = {
  name: "require-packages",
  resolveId(name, importer) {
    const isPackage = importer !== undefined && !/^[.#/\0]/.test(name) && !isBuiltin(name);
    return isPackage ? prefix + name : undefined;
  },
  load(id) {
    if (!id.startsWith(prefix)) return undefined;
    const code = `module.exports = requirePackageOfBundle(${JSON.stringify(id.slice(prefix.length))});`;
    return { code, moduleType: "js" };
  },
};

/** The main module is a file of its own: it handles errors of loading the others. */
const notMain = (id: string) => !id.endsWith("/cli/main.ts");

/** Writes `main.js` and its chunks. */
export async function bundleExecutable(dir: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    // The parts of the start are an entry, so that they are separate from the commands.
    input: {
      main: "src/cli/main.ts",
      start: "src/cli/start.ts",
      "lsp/analysis/thread": "src/cli/lsp/analysis/thread.ts",
    },
    platform: "node",
    tsconfig: "tsconfig.build.json",
    plugins: [requirePackages],
    // A module that is both imported and imported late is no mistake: all commands are in one file.
    checks: { ineffectiveDynamicImport: false },
  });
  await bundle.write({
    dir,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    // Names are kept, for stack traces.
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    // A module runs when it is imported, not when the file that it is in is loaded.
    strictExecutionOrder: true,
    codeSplitting: {
      groups: [
        { name: "start", test: notMain, tags: ["$initial"] },
        { name: "commands", test: notMain },
      ],
    },
    banner: `import { createRequire as createRequireOfBundle } from "node:module";
const requirePackageOfBundle = createRequireOfBundle(import.meta.url);`,
  });
  await bundle.close();
}
