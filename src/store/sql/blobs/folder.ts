/**
 * Blobs as files of one folder, named by a hash of the key. A temporary file is written, synced and then renamed, so
 * that a crash leaves the old bytes or the new ones. The key is stored first, so that every file has a row. Files and
 * folders are created for their owner only.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { quote } from "../../../errors.ts";
import { driverReason, unavailableFor } from "../../driver-reasons.ts";
import type { BlobStore } from "../../port.ts";
import type { BlobBackend, BlobContext } from "./backend.ts";
import { assertIntact, listKeys, readRows, recordKey, removeKey } from "./blob-keys.ts";

/** The subfolder of temporary files. */
const incoming = "incoming";
const folderMode = 0o700;
const fileMode = 0o600;

/** @param folder created when it does not exist */
export function folderBlobs(folder: string): BlobBackend {
  return {
    create: (context) => createFolderBlobs(context, folder),
    files: {
      findMissing: async (keys) => {
        for (const key of new Set(keys))
          if (!(await reaching(folder, () => isPresent(pathOf(folder, key))))) return key;
        return undefined;
      },
      remove: async (keys) => {
        for (const key of keys) await removeFile(folder, key);
      },
    },
    removeLeftovers: (beforeMs) => sweepIncoming(folder, beforeMs),
  };
}

function createFolderBlobs(context: BlobContext, folder: string): ReturnType<BlobBackend["create"]> {
  const { dialect } = context;
  const createFolder = createSyncedFolders();
  const getMany: BlobStore["getMany"] = async (keys) => {
    const files = await reaching(folder, () => readFiles(folder, keys));
    // The files are read first: the checksum of every file that can be found is already stored.
    const rows = await context.read((run) => readRows(run, dialect, [...files.keys()]));
    for (const [key, bytes] of files) assertIntact(key, bytes, rows.get(key)?.checksums);
    return keys.map((key) => files.get(key));
  };
  return {
    put: async (key, bytes) => {
      const copy = bytes.slice();
      await context.write("putting a blob", (run) =>
        recordKey(run, dialect, key, { bytes: copy, place: "file" }, Date.now()),
      );
      await context.track("putting a blob", () =>
        reaching(folder, () => writeAtomically(folder, pathOf(folder, key), copy, createFolder)),
      );
    },
    get: async (key) => (await getMany([key]))[0],
    getMany,
    delete: async (key) => {
      await context.track("deleting a blob", () => removeFile(folder, key));
      await context.write("deleting a blob", (run) => removeKey(run, context.dialect, key));
    },
    keys: async function* (prefix = "") {
      // The row of a key is older than its file.
      for await (const key of listKeys(context, prefix))
        if (await reaching(folder, () => isPresent(pathOf(folder, key)))) yield key;
    },
  };
}

function pathOf(folder: string, key: string): string {
  const hash = createHash("sha256").update(JSON.stringify(key)).digest("hex");
  return join(folder, hash.slice(0, 2), hash);
}

function removeFile(folder: string, key: string): Promise<void> {
  return reaching(folder, () => rm(pathOf(folder, key), { force: true }));
}

type CreateFolder = (path: string) => Promise<void>;

/**
 * Creates folders and syncs their names in their parents. A folder that exists is synced once, too: another process may
 * have created it a moment ago.
 */
function createSyncedFolders(): CreateFolder {
  const synced = new Set<string>();
  return async (path) => {
    const first = await mkdir(path, { recursive: true, mode: folderMode });
    if (first === undefined && synced.has(path)) return;
    const top = dirname(first ?? path);
    for (let parent = dirname(path); ; parent = dirname(parent)) {
      await syncDirectory(parent);
      if (parent === top || parent === dirname(parent)) break;
    }
    synced.add(path);
  };
}

async function writeAtomically(
  folder: string,
  path: string,
  bytes: Uint8Array,
  createFolder: CreateFolder,
): Promise<void> {
  const directory = dirname(path);
  const temporary = join(folder, incoming, randomUUID());
  await mkdir(dirname(temporary), { recursive: true, mode: folderMode });
  await createFolder(folder);
  await createFolder(directory);
  try {
    await writeSynced(temporary, bytes);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

/** Removes temporary files that were last written before a time (milliseconds since 1970). */
async function sweepIncoming(folder: string, beforeMs: number): Promise<void> {
  await reaching(folder, async () => {
    await mkdir(join(folder, incoming), { recursive: true, mode: folderMode });
    for (const name of await readdir(join(folder, incoming))) {
      const path = join(folder, incoming, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: beforeMs }));
      if (mtimeMs < beforeMs) await rm(path, { force: true });
    }
  });
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, "wx", fileMode);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Syncs the names in a directory; Windows does so by itself and cannot open one. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Files that are read at a time. */
const filesAtOnce = 16;

/** The files of keys, by key; none for a key without a file. */
async function readFiles(folder: string, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const rest = new Set(keys).values();
  const readRest = async () => {
    for (const key of rest) {
      const bytes = await readIfPresent(pathOf(folder, key));
      if (bytes) found.set(key, bytes);
    }
  };
  await Promise.all(Array.from({ length: filesAtOnce }, readRest));
  return found;
}

async function readIfPresent(path: string): Promise<Uint8Array | undefined> {
  return unlessMissing(readFile(path));
}

async function isPresent(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path))) !== undefined;
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function reaching<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = driverReason(error);
    if (reason === undefined) throw error;
    throw unavailableFor(`the folder of blobs ${quote(folder)} cannot be used`, reason, error);
  }
}
