/** The entries for browsers, workers and edge runtimes, bundled from the installed package. */
import { build } from "esbuild";
import { expect, test } from "vitest";

const entries = ["tokens", "proxy", "world", "brand/names"];
const platforms = ["browser", "worker", "workerd", "edge-light"];

test.each(entries.flatMap((entry) => platforms.map((platform) => [entry, platform] as const)))(
  "edgeproof/%s is bundled with the condition `%s`, without a module of Node.js",
  async (entry, platform) => {
    const { metafile } = await build({
      stdin: { contents: `export * from "edgeproof/${entry}";`, resolveDir: process.cwd() },
      conditions: [platform],
      mainFields: ["browser", "module", "main"],
      platform: "neutral",
      bundle: true,
      splitting: true,
      format: "esm",
      outdir: "bundle",
      write: false,
      metafile: true,
    });
    const inputs = Object.entries(metafile.inputs);
    expect(inputs.map(([path]) => path)).toContainEqual(
      expect.stringContaining(`edgeproof/dist/browser/${entry}.js`),
    );
    expect(inputs.flatMap(([, { imports }]) => imports.filter(({ external }) => external))).toEqual([]);
  },
);
