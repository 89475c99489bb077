/** Finds the blocks of Terraform resources, and the attributes in them, in the `.tf` files of a folder. */

import { readFile, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import type { Location } from "../../../core/diagnostic.ts";
import { addTo } from "../../../core/groups.ts";
import { createLineIndex } from "../../../core/line-index.ts";
import { createMemberFinder, rangeIn } from "../../../core/text-tree/member-node.ts";
import { readTerraformTree } from "../../../core/text-tree/terraform.ts";
import type { Io } from "../../command.ts";
import { walkFiles } from "../paths/walk.ts";

/** A part of a file. */
export type SourcePlace = Pick<Location, "file" | "start" | "end">;

/** Finds the place of a member of a resource by the address and an RFC 6901 pointer into the attributes. */
export type FindBlock = (address: string, member: string) => SourcePlace | undefined;

interface ResourceBlock {
  readonly file: string;
  readonly place: (member: string) => SourcePlace;
}

/** Maximum size of a file in bytes. */
const maxBytes = 4_194_304;

/**
 * Files that cannot be read are left out: a finding without a block has its place in the given file.
 *
 * @param onText is called with the text of each `.tf` file
 */
export async function findResourceBlocks(
  folder: string,
  io: Pick<Io, "onInputFile" | "openText">,
  onText: (path: string, text: string) => void = () => {},
): Promise<FindBlock> {
  const blocks = new Map<string, ResourceBlock[]>();
  for (const file of await walkFiles(folder, (name) => name.endsWith(".tf"))) {
    const text = io.openText?.(file) ?? (await readSource(file, io));
    onText(file, text);
    for (const [name, block] of blocksOf(file, text)) addTo(blocks, name, block);
  }
  return (address, member) => {
    const { modules, name } = parseAddress(address);
    return bestOf(blocks.get(name) ?? [], modules, folder)?.place(member);
  };
}

async function readSource(file: string, io: Pick<Io, "onInputFile">): Promise<string> {
  io.onInputFile?.(file);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  return size > maxBytes ? "" : readFile(file, "utf8").catch(() => "");
}

/** The resources and data sources of a text, by type and name. */
function blocksOf(file: string, text: string): readonly (readonly [name: string, block: ResourceBlock])[] {
  const positionAt = createLineIndex(text);
  const find = createMemberFinder();
  const roots = readTerraformTree(text).root?.children ?? [];
  return roots.flatMap((root) => {
    const keyword = root.name?.text;
    const [type] = root.children;
    const [block] = type?.children ?? [];
    if ((keyword !== "resource" && keyword !== "data") || !type || !block?.isBlock) return [];
    const name = `${keyword === "data" ? "data." : ""}${type.name?.text}.${block.name?.text}`;
    const place = (member: string): SourcePlace => {
      const { start, end } = rangeIn(find, { root, body: block }, member);
      return { file, start: positionAt(start), ...(end !== undefined && { end: positionAt(end) }) };
    };
    return [[name, { file, place }]];
  });
}

/** The calls of modules, and the type and name of the resource. */
function parseAddress(address: string): { readonly modules: readonly string[]; readonly name: string } {
  const parts = address.replaceAll(/\["[^"\\]*(?:\\.[^"\\]*)*"\]|\[\d+\]/g, "").split(".");
  const modules: string[] = [];
  while (parts.length > 2 && parts[0] === "module") modules.push(...parts.splice(0, 2).slice(1));
  return { modules, name: parts.join(".") };
}

/** A resource of the root module is in the folder itself, one of a module in a folder that often has its name. */
function bestOf(
  blocks: readonly ResourceBlock[],
  modules: readonly string[],
  root: string,
): ResourceBlock | undefined {
  const last = modules.at(-1);
  const isRoot = ({ file }: ResourceBlock) => dirname(file) === join(root);
  const isNamed = ({ file }: ResourceBlock) => last !== undefined && dirname(file).split(sep).includes(last);
  const fitting = last === undefined ? blocks.filter(isRoot) : blocks.filter((block) => !isRoot(block));
  return fitting.find(isNamed) ?? fitting[0] ?? blocks[0];
}
