/** Scripts that tests run in processes of their own, as one JavaScript file: it starts several times as fast as the sources. */
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";

/** Inside the project, so that package names resolve; removed at the end of the run, as its temporary folder is. */
const folder = join(process.cwd(), "node_modules/.cache", basename(tmpdir()), `${process.pid}`);
const built = new Map<string, string>();

/** The path of the file for a script of the project; made once a worker. */
export function bundled(script: string): string {
  const known = built.get(script);
  if (known !== undefined) return known;
  const outfile = join(folder, `${built.size}.mjs`);
  buildSync({
    entryPoints: [script],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    // Modules that a script requires are found from its source.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(script).href) },
    outfile,
  });
  built.set(script, outfile);
  return outfile;
}

/** The command line interface as one file. */
export function bundledCli(): string {
  return bundled(join(process.cwd(), "src/cli/main.ts"));
}
