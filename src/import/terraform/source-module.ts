/** The blocks of the files of one folder, which Terraform reads as one module, and what they define. */
import type { Placed } from "../../core/diagnostic.ts";
import { createLineIndex, type TextPosition } from "../../core/line-index.ts";
import { didYouMean } from "../../core/suggest.ts";
import { memberOf, type TextNode, type TextTree } from "../../core/text-tree/node.ts";
import { readTerraformTree } from "../../core/text-tree/terraform.ts";
import { quote } from "../../errors.ts";
import { derivedHex } from "../../service/tokens/derived-ids.ts";
import { unreadable } from "../import-rules.ts";
import type { SourceFile } from "../source-file.ts";
import { idOf } from "./rename-ids.ts";
import { createEvaluator, type Definition, type EvaluateBlock } from "./source-values.ts";

/** A block at the top of a file. */
export interface SourceBlock {
  readonly keyword: string;
  readonly labels: readonly string[];
  /** Its node in the tree, which has those of the labels in it. */
  readonly root: TextNode;
  readonly body: TextNode;
}

/** A file of sources. */
export interface SourceText {
  readonly tree: TextTree;
  readonly positionAt: (offset: number) => TextPosition;
  readonly blocks: readonly SourceBlock[];
  /** Why it cannot be read. */
  readonly problems: readonly Placed[];
}

/** The files of a folder. */
export interface SourceModule {
  readonly evaluate: EvaluateBlock;
  /** Whether another block before this one has its address. */
  readonly isRepeated: (block: SourceBlock) => boolean;
}

const ending = /\.(?:tf|tfvars)$/i;
const start =
  /^(?:\s|#[^\n]*\n|\/\/[^\n]*\n)*(?:resource|data|variable|output|locals|module|terraform|provider)[ \t]*(?:"[^"\n]*"[ \t]*){0,2}\{/;

/** Whether a file has sources or values of variables, by its name, else by its first block. */
export function isSource({ name, text }: Pick<SourceFile, "name" | "text">): boolean {
  return ending.test(name) || (!/\.\w+$/.test(name) && start.test(text.slice(0, 65_536)));
}

/** Whether a file has the values of variables. */
export function isVariables({ name }: Pick<SourceFile, "name">): boolean {
  return /\.tfvars$/i.test(name);
}

/** The types of blocks, and the number of their labels. */
const blockTypes: Readonly<Record<string, number>> = {
  action: 2,
  check: 1,
  data: 2,
  ephemeral: 2,
  import: 0,
  list: 2,
  locals: 0,
  module: 1,
  moved: 0,
  output: 1,
  provider: 1,
  removed: 0,
  resource: 2,
  terraform: 0,
  variable: 1,
};

const texts = new WeakMap<SourceFile, SourceText>();

/** Each file is read once. */
export function sourceText(file: SourceFile): SourceText {
  const known = texts.get(file) ?? readText(file);
  texts.set(file, known);
  return known;
}

function readText(file: SourceFile): SourceText {
  const tree = readTerraformTree(file.text);
  const positionAt = createLineIndex(file.text);
  const faultAt = (offset: number, message: string) =>
    unreadable({ file: file.name, start: positionAt(offset) }, `${message}.`);
  const text = { tree, positionAt, blocks: [] };
  const { root, fault, isCut } = tree;
  if (isCut)
    return {
      ...text,
      problems: [faultAt(lastOffset(root), "The file has too many values, or too many levels, from here on")],
    };
  if (fault)
    return {
      ...text,
      problems: [faultAt(fault.offset, `This is not Terraform's language: ${fault.message}`)],
    };
  const roots = isVariables(file) ? [] : (root?.children ?? []);
  const blocks: SourceBlock[] = [];
  const problems: Placed[] = [];
  for (const node of roots) {
    const block = blockOf(node);
    const message = block ? invalidBlock(block) : `${quote(node.name?.text)} is not a block`;
    if (message !== undefined) problems.push(faultAt(node.name?.start ?? node.start, message));
    else if (block) blocks.push(block);
  }
  return { ...text, blocks, problems };
}

function lastOffset(node: TextNode | undefined): number {
  let last = node;
  while (last?.children.length) last = last.children.at(-1);
  return last?.start ?? 0;
}

function blockOf(root: TextNode): SourceBlock | undefined {
  const labels: string[] = [];
  let body = root;
  for (let next = body.children[0]; !body.isBlock && next; next = body.children[0]) {
    body = next;
    labels.push(body.name?.text ?? "");
  }
  return body.isBlock ? { keyword: root.name?.text ?? "", labels, root, body } : undefined;
}

function invalidBlock({ keyword, labels }: SourceBlock): string | undefined {
  const count = Object.hasOwn(blockTypes, keyword) ? blockTypes[keyword] : undefined;
  const known = Object.keys(blockTypes);
  if (count === undefined)
    return `${quote(keyword)} is not a type of block${didYouMean(keyword.slice(0, 64), known) || `; the types are ${known.join(", ")}`}`;
  if (labels.length === count) return undefined;
  return `A block of the type ${quote(keyword)} must have ${count} labels; found ${labels.length}`;
}

const modules = new WeakMap<readonly SourceFile[], Map<string, SourceModule>>();

/** The module of a file, from all files in its folder. */
export function moduleOf(file: SourceFile, all: readonly SourceFile[], withSecrets: boolean): SourceModule {
  const known = modules.get(all) ?? new Map<string, SourceModule>();
  modules.set(all, known);
  const folder = folderOf(file);
  const found =
    known.get(folder) ??
    readModule(
      all.filter((candidate) => isSource(candidate) && folderOf(candidate) === folder),
      withSecrets,
    );
  known.set(folder, found);
  return found;
}

/** The folder of a file, as its name has it. */
export function folderOf({ name }: Pick<SourceFile, "name">): string {
  return name.slice(0, Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
}

/** The address of a resource or data source. */
export function addressOf({ keyword, labels }: SourceBlock): string {
  return [...(keyword === "data" ? [keyword] : []), ...labels].join(".");
}

/** The member that makes any number of instances of a block. */
export function repetitionOf({ body }: SourceBlock): string | undefined {
  return ["count", "for_each"].find((name) => memberOf(body, name));
}

function readModule(files: readonly SourceFile[], withSecrets: boolean): SourceModule {
  const definitions = new Map<string, Definition>();
  const repeated = new Set<string>();
  const resources = new Map<string, SourceBlock>();
  const define = (name: string, definition: Definition) => {
    if (definitions.has(name)) repeated.add(name);
    definitions.set(name, definition);
  };
  for (const { text, blocks } of files.map((file) => ({ text: file.text, ...sourceText(file) }))) {
    for (const block of blocks) {
      const { keyword, labels, body } = block;
      if (keyword === "locals")
        for (const node of body.children) define(`local.${node.name?.text}`, { text, node });
      if (keyword === "variable") define(`var.${labels[0]}`, variableOf(text, body, withSecrets));
      const address = addressOf(block);
      if (["resource", "data"].includes(keyword) && !resources.has(address)) resources.set(address, block);
    }
  }
  // Values of variables take the place of defaults: those of later files of earlier ones.
  for (const file of files.filter(isVariables))
    for (const node of sourceText(file).tree.root?.children ?? []) {
      const declared = definitions.get(`var.${node.name?.text}`);
      if (declared) definitions.set(`var.${node.name?.text}`, { ...declared, text: file.text, node });
    }
  const evaluate = createEvaluator({
    definitionOf: (name) => (repeated.has(name) ? undefined : definitions.get(name)),
    idOf: (address) => derivedId(address, resources.get(address)),
  });
  return { evaluate, isRepeated: (block) => resources.get(addressOf(block)) !== block };
}

const conversions: Readonly<Record<string, (value: unknown) => unknown>> = {
  string: (value) => (["number", "boolean"].includes(typeof value) ? String(value) : value),
  number: (value) => (typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value),
  bool: (value) => (value === "true" || value === "false" ? value === "true" : value),
};

function variableOf(text: string, body: TextNode, withSecrets: boolean): Definition {
  const node = memberOf(body, "default");
  const sourceOf = (name: string) => {
    const { start = 0, end = 0 } = memberOf(body, name) ?? {};
    return text.slice(start, end).trim().replaceAll('"', "");
  };
  const type = sourceOf("type");
  const convert = Object.hasOwn(conversions, type) ? conversions[type] : undefined;
  const isSensitive = !withSecrets && sourceOf("sensitive") === "true";
  return { text, ...(node && { node }), ...(convert && { convert }), ...(isSensitive && { isSensitive }) };
}

/** The id that the world gives to a resource that the service has not created yet. */
function derivedId(address: string, block: SourceBlock | undefined): string | undefined {
  if (!block || repetitionOf(block) !== undefined) return undefined;
  const type = block.labels[0] ?? "";
  if (block.keyword === "data") return type === "cloudflare_zone" ? derivedHex(address) : undefined;
  return idOf({ type, address, values: {} }, new Map());
}
