/**
 * Builds the playground: one HTML file with everything inlined, which works from `file:` and from any server. Its policy
 * allows its own script and styles by their hashes, workers from memory, and no request at all.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { type BuildOptions, build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Maximum size of the file in kilobytes (1,000 bytes), compressed by gzip. The editor is some 105 of it, the comparison of
 * names 81 (most of that is the list of public suffixes), regular expressions 54, Terraform sources 8, corrections of expressions 10, the schema of worlds 45, YAML 33, other
 * formats 29, generated suites 30, applications 22, and the tables of internationalized hosts 6.
 */
export const maxPlaygroundKilobytes = 680;

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  minify: true,
  platform: "browser",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  target: ["chrome123", "firefox121", "safari17.5"],
} as const satisfies BuildOptions;

/** One script for the page and for its workers: what both need is in the file once. */
const entry = `
if (typeof document === "undefined") require("./src/workbench/playground/engines.ts");
else require("./web/src/playground/main.tsx");
`;

async function textOf(more: BuildOptions): Promise<string> {
  const { outputFiles } = await build({ ...options, ...more, write: false });
  return outputFiles[0]?.text.trimEnd() ?? "";
}

/** Writes `index.html` to a folder. @returns its size, compressed by gzip, in kilobytes @throws {RangeError} when the file is larger than its limit */
export async function buildPlayground(folder = `${root}dist/playground`): Promise<number> {
  const script = await textOf({
    stdin: { contents: entry, resolveDir: root },
    format: "iife",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const styles = await textOf({ entryPoints: ["web/src/styles.css"] });
  const html = page(script, styles);
  const kilobytes = gzipSync(html).length / 1000;
  if (kilobytes > maxPlaygroundKilobytes)
    throw new RangeError(
      `The playground is ${kilobytes.toFixed(1)} kB compressed; it must be at most ${maxPlaygroundKilobytes} kB`,
    );
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/index.html`, html);
  return kilobytes;
}

function page(script: string, styles: string): string {
  // A parser of HTML would end the element early, or not at all.
  const inlined = script.replaceAll("<!--", "\\x3C!--");
  if (/<\/script/i.test(inlined) || /<\/style/i.test(styles))
    throw new RangeError("The script or the styles of the playground would end their own element");
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(inlined)}' 'wasm-unsafe-eval'`,
    `style-src '${hashOf(styles)}'`,
    "worker-src blob:",
    // The wavy line under a problem in the editor.
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta http-equiv="Content-Security-Policy" content="${policy}" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>edgeproof playground</title>
<style>${styles}</style>
</head>
<body>
<noscript>The playground needs JavaScript.</noscript>
<div id="app"></div>
<script>${inlined}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
