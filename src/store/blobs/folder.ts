/**
 * Blobs as files of one folder, named by a hash of the key. A file is written beside, brought to the disk and
 * then renamed, so that a crash leaves the old bytes or the new ones.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DependencyUnavailableError, quote } from "../../errors.ts";
import type { BlobStore } from "../port.ts";
import type { BlobHost } from "../sql/sql-store.ts";
import { forgetKey, listKeys, noteKey } from "./keys.ts";

/** Where files are written before they are whole. */
const incoming = "incoming";
/** What lies there for longer, in milliseconds, was left by a process that crashed. */
const abandonedMs = 3_600_000;

export function createFolderBlobs(host: BlobHost, folder: string): BlobStore {
  const pathOf = (key: string): string => {
    const hash = createHash("sha256").update(JSON.stringify(key)).digest("hex");
    return join(folder, hash.slice(0, 2), hash);
  };
  return {
    put: async (key, bytes) => {
      const copy = bytes.slice();
      await host.aside("putting a blob", () => reaching(folder, () => writeWhole(folder, pathOf(key), copy)));
      await host.write("putting a blob", (run) => noteKey(run, host.dialect, key, null));
    },
    get: (key) => reaching(folder, () => readIfThere(pathOf(key))),
    delete: async (key) => {
      await host.write("deleting a blob", (run) => forgetKey(run, host.dialect, key));
      await host.aside("deleting a blob", () => reaching(folder, () => rm(pathOf(key), { force: true })));
    },
    keys: (prefix = "") => listKeys(host, prefix),
  };
}

async function writeWhole(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const directory = dirname(path);
  const beside = join(folder, incoming, randomUUID());
  await mkdir(dirname(beside), { recursive: true });
  await mkdir(directory, { recursive: true });
  try {
    await writeSynced(beside, bytes);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** Removes what crashed processes have left half written. */
export async function sweepFolder(folder: string, now: number): Promise<void> {
  await reaching(folder, async () => {
    await mkdir(join(folder, incoming), { recursive: true });
    for (const name of await readdir(join(folder, incoming))) {
      const path = join(folder, incoming, name);
      const age = now - (await stat(path).catch(() => ({ mtimeMs: now }))).mtimeMs;
      if (age > abandonedMs) await rm(path, { force: true });
    }
  });
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Brings the names in a directory to the disk; Windows does so by itself and cannot open one. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function reaching<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new DependencyUnavailableError(`the folder of blobs ${quote(folder)} cannot be used: ${message}`, {
      cause: error,
    });
  }
}
