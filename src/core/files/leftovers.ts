/** The names of temporary files, and the removal of those whose process does not run any more. */
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

const namePattern = /^\.edgeproof-([0-9a-f]{12})-([0-9]{1,10})-[0-9a-f]{12}\.partial$/;

/**
 * Age from which a temporary file is removed without regard to its process: that may run on another machine, or another
 * process may have its id.
 */
const maxAgeMs = 7 * 86_400_000;

let machine: string | undefined;

function machineId(): string {
  machine ??= hashOfMachine();
  return machine;
}

/** Tells apart where process ids mean something else: other machines, other containers, and before the last start. */
function hashOfMachine(): string {
  const parts = [
    hostname(),
    orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    orEmpty(() => readlinkSync("/proc/self/ns/pid")),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 12);
}

/** Empty on systems without the file. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/** A name with the machine and the process id, which no other file has. */
export function temporaryName(): string {
  return `.edgeproof-${machineId()}-${process.pid}-${randomBytes(6).toString("hex")}.partial`;
}

const cleaned = new Set<string>();

/** Removes the temporary files of a folder that ended processes left, once a process. Never fails. */
export async function removeLeftovers(folder: string): Promise<void> {
  if (cleaned.has(folder)) return;
  cleaned.add(folder);
  for (const name of await readdir(folder).catch(() => []))
    if (await isLeftover(folder, name)) await rm(join(folder, name), { force: true }).catch(() => {});
}

async function isLeftover(folder: string, name: string): Promise<boolean> {
  const [, writer, pid] = namePattern.exec(name) ?? [];
  if (writer === undefined) return false;
  const found = await lstat(join(folder, name)).catch(() => undefined);
  if (!found?.isFile()) return false;
  return (writer === machineId() && !isRunning(Number(pid))) || Date.now() - found.mtimeMs > maxAgeMs;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
