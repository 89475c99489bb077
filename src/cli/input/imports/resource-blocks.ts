/** Finds the blocks of Terraform resources in the `.tf` files of a folder. */
import { readFile, stat } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { createLineIndex, type TextPosition } from "../../../core/line-index.ts";
import type { Io } from "../../command.ts";
import { walkFiles } from "../paths/walk.ts";

/** The start of a block. */
export interface ResourceBlock {
  /** Path of the file. */
  readonly file: string;
  readonly position: TextPosition;
}

/** Finds the block of a resource by its address. */
export type FindBlock = (address: string) => ResourceBlock | undefined;

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
    for (const { name, position } of blocksOf(text)) {
      const known = blocks.get(name) ?? [];
      blocks.set(name, [...known, { file, position }]);
    }
  }
  return (address) => {
    const { modules, name } = parseAddress(address);
    return bestOf(blocks.get(name) ?? [], modules, folder);
  };
}

const block = /^[ \t]*(resource|data)[ \t]+"([\w-]+)"[ \t]+"([\w-]+)"/gm;

async function readSource(file: string, io: Pick<Io, "onInputFile">): Promise<string> {
  io.onInputFile?.(file);
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  return size > maxBytes ? "" : readFile(file, "utf8").catch(() => "");
}

function blocksOf(text: string): readonly { readonly name: string; readonly position: TextPosition }[] {
  const positionAt = createLineIndex(text);
  return [...text.matchAll(block)].map(({ 0: whole, 1: kind, 2: type, 3: name, index }) => {
    const offset = index + whole.search(/\S/);
    return { name: `${kind === "data" ? "data." : ""}${type}.${name}`, position: positionAt(offset) };
  });
}

/** The calls of modules, and the type and name of the resource. */
function parseAddress(address: string): { readonly modules: readonly string[]; readonly name: string } {
  const parts = address.replaceAll(/\["(?:[^"\\]|\\.)*"\]|\[\d+\]/g, "").split(".");
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
  const fitting = last === undefined ? blocks.filter(isRoot) : blocks.filter((one) => !isRoot(one));
  return fitting.find(isNamed) ?? fitting[0] ?? blocks[0];
}
