/** `edgeproof playground`: writes the page of the playground to a folder. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { FileWriteError } from "../../../core/files/file-write-error.ts";
import { createFolder } from "../../../core/files/folders.ts";
import { replaceFile, writeNewFile } from "../../../core/files/write-file.ts";
import { UsageError } from "../../command.ts";
import type { playground } from "../../declarations/first-steps/playground.ts";
import type { InvocationOf } from "../../declare.ts";
import { builtFolder } from "../../input/workbench-options.ts";
import { escapeLines } from "../../output/escape-control-characters.ts";

export async function run({ options, io }: InvocationOf<typeof playground>): Promise<number> {
  const page = await readPage(io.env?.["EDGEPROOF_PLAYGROUND"] ?? builtFolder("playground"));
  const { out: folder, replace } = options;
  const path = join(folder, "index.html");
  await createFolder(folder);
  if (replace) await replaceFile(path, page);
  else await writeNewPage(path, page);
  io.stderr.write(escapeLines(`wrote ${path}; open it in a browser\n`));
  return 0;
}

/** @throws {UsageError} when the package was not built */
function readPage(folder: string): Promise<string> {
  return readFile(join(folder, "index.html"), "utf8").catch(() => {
    throw new UsageError(
      `the page of the playground is not in ${folder}; \`npm run build\` in the repository makes it`,
    );
  });
}

/** @throws {UsageError} when the file exists */
async function writeNewPage(path: string, content: string): Promise<void> {
  await writeNewFile(path, content).catch((error: unknown) => {
    if (!(error instanceof FileWriteError && error.code === "EEXIST")) throw error;
    throw new UsageError(`${path} exists already; --replace replaces it`);
  });
}
