/** One site of the guides and the API reference, with a search over both; it works from a file path, without a server. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix, relative } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import {
  type Application,
  type Context,
  Converter,
  type DocumentReflection,
  IndexEvent,
  type NormalizedPath,
  type Reflection,
} from "typedoc";
import { convertSources, groupOrder, inlineUnexported, root } from "./sources.ts";

const readme = `${root}/README.md`;

/** Groups of pages that the index does not name one by one. */
const folders: Readonly<Record<string, string>> = {
  "docs/decisions/": "Decisions",
  "docs/recipes/": "Recipes",
};

/** The pages by area: those that the index of the documentation names below its headings, then the other ones by folder. */
function pagesByArea(): ReadonlyMap<string, readonly string[]> {
  const index = readFileSync(`${root}/docs/README.md`, "utf8");
  const areas = new Map<string, string[]>([["Start", ["docs/README.md"]]]);
  const seen = new Set(["docs/README.md"]);
  const add = (area: string, file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    areas.set(area, [...(areas.get(area) ?? []), file]);
  };
  for (const section of index.split(/^## /m).slice(1)) {
    const area = section.slice(0, section.indexOf("\n"));
    for (const [, link = ""] of section.matchAll(/\]\(([^)#]+\.md)\)/g)) {
      const file = posix.join("docs", link);
      if (!file.startsWith("examples/")) add(area, file);
    }
  }
  for (const file of readdirSync(`${root}/docs`, { recursive: true, encoding: "utf8" }).sort()) {
    const path = `docs/${file.replaceAll("\\", "/")}`;
    const [, area = "Reference"] = Object.entries(folders).find(([folder]) => path.startsWith(folder)) ?? [];
    if (path.endsWith(".md")) add(area, path);
  }
  return areas;
}

/** Pages that are written for readers come before the ones that are made from tables, and these before the API reference. */
function searchBoosts(areas: Iterable<string>): Readonly<Record<string, number>> {
  const boosts: Readonly<Record<string, number>> = { Reference: 4, Decisions: 2, Recipes: 2 };
  return Object.fromEntries([...areas].map((area) => [area, boosts[area] ?? 40]));
}

/** The languages of the code in guides and docstrings. */
function languagesOf(files: readonly string[]): string[] {
  const texts = files.map((file) => readFileSync(file, "utf8"));
  const found = texts.flatMap((text) => [...text.matchAll(/^\s*```(\w+)/gm)].map(([, name = ""]) => name));
  return [...new Set(["typescript", ...found])].filter((name) => name !== "text");
}

/** Pages for folders that guides link to. */
const pagesFor: Readonly<Record<string, string>> = {
  "docs/decisions/": "docs/decisions/0001-precedence.md",
  "schemas/cli": "docs/cli.md",
};

/** The text of the first heading of a page. */
function headingOf(page: string): string | undefined {
  return /^# (.+)$/m.exec(page)?.[1]?.replaceAll("`", "");
}

function titleOf(file: string): string {
  return headingOf(readFileSync(`${root}/${file}`, "utf8")) ?? file;
}

/** Names guides by their headings, groups them by area, and leads links to folders to a page here. */
function joinDocuments({ converter }: Application, areas: ReadonlyMap<string, readonly string[]>): void {
  const headings = new Map([...areas].flatMap(([area, files]) => files.map((file) => [titleOf(file), area])));
  converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context: unknown, document: DocumentReflection) => {
    const heading = headingOf(document.content.map(({ text }) => text).join(""));
    if (heading === undefined) return;
    document.name = heading;
    document.frontmatter["group"] = headings.get(heading) ?? "Reference";
  });
  converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    const { files, documents = [] } = project;
    const pages = new Map<string, Reflection>();
    for (const document of documents)
      pages.set(relative(root, files.getReflectionPath(document) ?? ""), document);
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

/** Search finds hyphenated words and options whole: the package splits them into their parts. */
function indexHyphenatedWords({ renderer }: Application): void {
  renderer.on(IndexEvent.PREPARE_INDEX, (event: IndexEvent) => {
    event.searchFieldWeights["hyphenated"] = 1000;
    for (const [i, page] of event.searchResults.entries()) {
      const text = page.isDocument() ? page.content.map((part) => part.text).join("") : "";
      const words = text.toLowerCase().match(/--[\p{L}\p{N}-]+|[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu) ?? [];
      // An array is a list of terms, of which none is split; hyphens in front would be removed.
      const terms = words.map((word) => word.replace(/^-/, "_-"));
      event.searchFields[i] = { ...event.searchFields[i], hyphenated: terms as unknown as string };
    }
  });
}

/** How the package makes a query: a page needs one of the words only, and a hyphen in front excludes a word. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: code of the page
const anyWord = 'if(i){let a=i.split(" ").map(c=>c.length?`*${c}*`:"").join(" ");';

/**
 * The query of a text; empty without a word. Every part of its words is required; pages with a hyphenated word or an
 * option as a whole come first. The page has the source of the function: it uses nothing else.
 */
function queryOf(text: string): string {
  const words = text.match(/-*[\p{L}\p{N}_.]+(?:-[\p{L}\p{N}_.]+)*/gu) ?? [];
  return words
    .flatMap((word) => [
      ...(word.match(/[^-]+/g) ?? []).map((part) => `+*${part}*`),
      ...(word.includes("-") ? [`*${word.replaceAll("-", "\\-")}*`] : []),
    ])
    .join(" ");
}

/** Makes the search of a written site require every word of a query. */
function requireEveryWord(folder: string): void {
  const file = join(folder, "assets/main.js");
  const code = readFileSync(file, "utf8");
  if (!code.includes(anyWord)) throw new Error("typedoc makes queries in another way than `anyWord`.");
  writeFileSync(
    file,
    code.replace(anyWord, () => `let a=(${queryOf})(i);if(a){`),
  );
}

/** Writes the site into a folder, which is emptied first. Returns the number of warnings and errors. */
export async function writeSite(folder: string): Promise<number> {
  const areas = pagesByArea();
  const documents = [...areas.values()].flat().map((file) => `${root}/${file}`);
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
    navigation: { includeGroups: true },
    groupOrder: [...areas.keys(), ...groupOrder],
    searchGroupBoosts: searchBoosts(areas.keys()),
  };
  const warnings = await convertSources(options, (app) => {
    inlineUnexported(app);
    joinDocuments(app, areas);
    indexHyphenatedWords(app);
  });
  requireEveryWord(folder);
  return warnings;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  if ((await writeSite(`${root}/site`)) > 0) process.exitCode = 1;
  else console.log("open site/index.html");
}
