/** One site of the guides and the API reference, with a search over both; it works from a file path, without a server. */
import { readdirSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import {
  type Application,
  type Context,
  Converter,
  type DocumentReflection,
  type NormalizedPath,
  type Reflection,
} from "typedoc";
import { convertSources, inlineUnexported, root } from "./generate.ts";

const readme = `${root}/README.md`;

/** The guides in the order in which the README names them; the pages of `docs/api` are another edition of the reference. */
function guides(): string[] {
  const text = readFileSync(readme, "utf8");
  const placeOf = (file: string) => (text.indexOf(`(${file})`) + text.length + 1) % (text.length + 1);
  const files = readdirSync(`${root}/docs`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md") && !file.startsWith("api/"))
    .map((file) => `docs/${file.replaceAll("\\", "/")}`)
    .concat("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md");
  return files.sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1)).map((file) => `${root}/${file}`);
}

/** The languages of the code in guides and docstrings. */
function languagesOf(files: readonly string[]): string[] {
  const texts = files.map((file) => readFileSync(file, "utf8"));
  const found = texts.flatMap((text) => [...text.matchAll(/^\s*```(\w+)/gm)].map(([, name = ""]) => name));
  return [...new Set(["typescript", ...found])].filter((name) => name !== "text");
}

/** Pages for what has none: folders that guides link to, and the start of the reference. */
const pagesFor: Readonly<Record<string, string>> = {
  "docs/decisions/": "docs/decisions/0001-precedence.md",
  "schemas/cli": "docs/cli.md",
  "docs/api/README.md": "docs/api/index.md",
};

/** Names guides by their headings, and leads links to Markdown of the reference to its pages here. */
function joinDocuments({ converter }: Application): void {
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context: unknown, document: DocumentReflection) => {
    const [, heading] = /^# (.+)$/m.exec(document.content.map(({ text }) => text).join("")) ?? [];
    if (heading !== undefined) document.name = heading.replaceAll("`", "");
  });
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    const { files, children = [], documents = [] } = project;
    const pages = new Map<string, Reflection>(children.map((one) => [`docs/api/${one.name}.md`, one]));
    for (const one of documents) pages.set(relative(root, files.getReflectionPath(one) ?? ""), one);
    for (const [file, page] of Object.entries(pagesFor)) pages.set(file, pages.get(page) ?? project);
    pages.set("README.md", project);
    for (const [file, page] of pages) files.registerReflectionPath(`${root}/${file}` as NormalizedPath, page);
  });
}

interface MarkdownToken {
  readonly type: string;
  readonly content: string;
  children: MarkdownToken[] | null;
}

/** Anchors of headings have the words in code, as everywhere else; the package reads only the text. */
function keepCodeInAnchors(parser: {
  readonly core: {
    readonly ruler: { push(name: string, rule: (state: { tokens: MarkdownToken[] }) => void): void };
  };
}): void {
  parser.core.ruler.push("code_in_anchors", ({ tokens }) => {
    const headings = tokens.filter((_, i) => tokens[i - 1]?.type === "heading_open");
    for (const code of headings.flatMap(({ children }) => children ?? []))
      if (code.type === "code_inline") code.children = [{ ...code, type: "text", children: null }];
  });
}

/** Writes the site into a folder, which is emptied first. Returns the number of warnings and errors. */
export function writeSite(folder: string): Promise<number> {
  const documents = guides();
  const options = {
    outputs: [{ name: "html", path: folder }],
    readme,
    projectDocuments: documents,
    highlightLanguages: languagesOf([readme, ...documents]),
    searchInDocuments: true,
    searchInComments: true,
    disableGit: true,
    includeVersion: true,
    githubPages: false,
    includeHierarchySummary: false,
    markdownItLoader: keepCodeInAnchors,
  };
  return convertSources(options, (app) => {
    inlineUnexported(app);
    joinDocuments(app);
  });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  if ((await writeSite(`${root}/site`)) > 0) process.exitCode = 1;
  else console.log("open site/index.html");
}
