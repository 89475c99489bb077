/**
 * Loaded before a program (`node --import`): counts its steps that write files, and lets one of them fail. EDGEPROOF_FAULT
 * is `kill:<step>`: half of the step is done, and the process is killed; or `full:<step>`: from that step on the disk is
 * full. With any other value the number of steps is the last line of standard error.
 */
import fs from "node:fs";
import fsp, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const [kind = "", at = "0"] = (process.env["EDGEPROOF_FAULT"] ?? "").split(":");
let steps = 0;

type Call = (...args: never[]) => unknown;
type Content = string | Uint8Array;

/** Whether the next step fails. A full disk only has no space for content. */
function fails(isContent: boolean): boolean {
  steps += 1;
  if (kind === "kill") return steps === Number(at);
  return kind === "full" && isContent && steps >= Number(at);
}

function fail(): never {
  if (kind === "kill") process.kill(process.pid, "SIGKILL");
  throw Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
  });
}

function half(content: Content): Uint8Array {
  const bytes = Buffer.from(content as string);
  return bytes.subarray(0, Math.floor(bytes.length / 2));
}

/** Replaces functions of an object that change names or modes. */
function watchNames(owner: object, ...names: readonly string[]): void {
  const calls = owner as Record<string, Call>;
  for (const name of names) {
    const original = calls[name]!;
    calls[name] = function (this: unknown, ...args: never[]) {
      return fails(false) ? fail() : original.apply(this, args);
    };
  }
}

const handle: FileHandle = await fsp.open(process.execPath);
const prototype = Object.getPrototypeOf(handle) as FileHandle;
await handle.close();
for (const name of ["appendFile", "writeFile", "write"] as const) {
  const original = prototype[name] as (this: FileHandle, content: Content, ...rest: unknown[]) => unknown;
  prototype[name] = async function (this: FileHandle, content: Content, ...rest: unknown[]) {
    if (!fails(true)) return original.call(this, content, ...rest);
    await original.call(this, half(content));
    return fail();
  } as never;
}
watchNames(prototype, "sync", "chmod");
watchNames(fsp, "rename", "link");

const open = fsp.open;
fsp.open = (async (path, flags, mode) => {
  const isWriter = typeof flags === "string" && /[wa+]/.test(flags);
  return isWriter && fails(false) ? fail() : open(path, flags, mode);
}) as typeof open;

const writeFile = fsp.writeFile;
fsp.writeFile = (async (path, content, options) => {
  if (!fails(true)) return writeFile(path, content, options);
  await writeFile(path, half(content as Content), options);
  return fail();
}) as typeof writeFile;

syncBuiltinESMExports();
process.on("exit", () => {
  if (kind === "count") fs.writeSync(2, `\n${steps}\n`);
});
