/**
 * Runs the cleaner of SVG over the published fixtures of DOMPurify: `tsx scripts/check-svg-corpus.ts`. The package is
 * fetched into a temporary folder; 0.7.4 is the last version on npm that contains them. Every output is parsed again,
 * and must contain nothing that runs or loads.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { SaxesParser } from "saxes";
import { cleanSvg } from "../src/engine/images/svg/clean-svg.ts";

const version = "0.7.4";
const namespace = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const runs = new Set([
  "script",
  "foreignObject",
  "iframe",
  "object",
  "embed",
  "handler",
  "html",
  "link",
  "meta",
]);

/** The payloads, from a literal without any objects of this process in its reach. */
function fetchPayloads(): string[] {
  const folder = mkdtempSync(join(tmpdir(), "edgeproof-corpus-"));
  try {
    execFileSync("npm", ["pack", "--silent", `dompurify@${version}`], { cwd: folder });
    execFileSync("tar", ["xzf", `dompurify-${version}.tgz`], { cwd: folder });
    const source = readFileSync(join(folder, "package/test/fixtures/expect.js"), "utf8");
    const sandbox = { module: { exports: [] as { payload: string }[] } };
    runInNewContext(source, sandbox, { timeout: 5_000 });
    return sandbox.module.exports.map(({ payload }) => payload);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The forbidden contents of an output; undefined when it has none. */
function findViolation(svg: string): string | undefined {
  let found: string | undefined;
  let isStyle = false;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    found ??= error.message;
  });
  parser.on("opentag", (tag) => {
    isStyle = tag.local === "style";
    if (runs.has(tag.local)) found ??= `element ${tag.local}`;
    for (const { local, value } of Object.values(tag.attributes)) {
      if (/^on/i.test(local)) found ??= `attribute ${local}`;
      if (local === "href" && !/^(#|data:image\/(png|jpe?g|gif|webp|avif);)/.test(value))
        found ??= `href ${value}`;
      // An id is only a name.
      if (local !== "id" && /javascript:|url\(\s*["']?(?!#)/i.test(value)) found ??= `value ${value}`;
    }
  });
  parser.on("closetag", () => {
    isStyle = false;
  });
  parser.on("text", (text) => {
    if (isStyle && /@import|javascript:|url\(\s*["']?[^#"']/i.test(text)) found ??= `style sheet ${text}`;
  });
  parser.write(svg).close();
  return found;
}

/** A payload as it is, as the content of an SVG, and escaped as a value, a style, a reference and a style sheet. */
function inputsOf(payload: string): string[] {
  const value = payload.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  const contents = [
    payload,
    `<rect fill="${value}" style="${value}" id="${value}"/>`,
    `<rect style="fill:${value}"><set attributeName="fill" to="${value}"/></rect>`,
    `<use href="${value}"/><image xlink:href="${value}"/>`,
    `<style>${value}</style><style>a{fill:${value}}</style><text>${value}</text>`,
  ];
  return [payload, ...contents.map((content) => `<svg ${namespace}>${content}</svg>`)];
}

const counts = { payloads: 0, inputs: 0, rejected: 0, cleaned: 0, violations: 0 };
for (const payload of fetchPayloads()) {
  counts.payloads++;
  for (const input of inputsOf(payload)) {
    counts.inputs++;
    const cleaned = cleanSvg(input);
    if (!cleaned.ok) {
      counts.rejected++;
      continue;
    }
    counts.cleaned++;
    const violation = findViolation(cleaned.value.svg);
    if (violation === undefined) continue;
    counts.violations++;
    console.log(`${violation}: ${JSON.stringify(input)} became ${cleaned.value.svg}`);
  }
}
console.log(JSON.stringify(counts));
if (counts.violations > 0 || counts.payloads === 0) process.exitCode = 1;
