/** The module that writes files: modes, links, devices, and what an ended process left. */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { FileWriteError } from "../../src/core/files/file-write-error.ts";
import { removeLeftovers, temporaryName } from "../../src/core/files/leftovers.ts";
import { openAtomicFile, replaceFile, writeNewFile } from "../../src/core/files/write-file.ts";

let folder: string;
const at = (name: string) => join(folder, name);
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

describe("a file that is replaced", () => {
  test("creates a file, and replaces it with its mode and through a link", async () => {
    await replaceFile(at("a"), "one");
    expect(await readFile(at("a"), "utf8")).toBe("one");
    await chmod(at("a"), 0o666);
    await symlink("a", at("link"));
    await replaceFile(at("link"), Buffer.from("two"));
    expect([await readFile(at("a"), "utf8"), await modeOf(at("a"))]).toEqual(["two", 0o666]);
    expect((await lstat(at("link"))).isSymbolicLink()).toBe(true);
    expect((await readdir(folder)).sort()).toEqual(["a", "link"]);
  });

  test("writes a file whose name has the maximum length", async () => {
    await replaceFile(at("n".repeat(255)), "long");
    expect(await readdir(folder)).toEqual(["n".repeat(255)]);
  });

  test.skipIf(process.platform === "win32")("writes to a device and keeps it", async () => {
    await replaceFile("/dev/null", "nothing");
    expect((await stat("/dev/null")).isCharacterDevice()).toBe(true);
  });

  test("rejects a folder, and a file in a folder that does not exist", async () => {
    await mkdir(at("folder"));
    await expect(replaceFile(at("folder"), "")).rejects.toThrow(/^cannot write \S+folder: it is a folder$/);
    const missing = replaceFile(at("no/file"), "");
    await expect(missing).rejects.toThrow(/^cannot write \S+file: the folder does not exist$/);
    await expect(missing).rejects.toBeInstanceOf(FileWriteError);
  });

  test("makes a private file readable for its owner only, whatever its mode was", async () => {
    await writeFile(at("secret"), "", { mode: 0o644 });
    const file = await openAtomicFile(at("secret"), { isPrivate: true });
    await file.write("keys");
    expect(await readFile(at("secret"), "utf8")).toBe("");
    await file.commit();
    expect([await readFile(at("secret"), "utf8"), await modeOf(at("secret"))]).toEqual(["keys", 0o600]);
  });
});

describe("writeNewFile", () => {
  test("creates a file once, also when several do so at the same time", async () => {
    const outcomes = await Promise.allSettled(
      ["1", "2", "3", "4"].map((text) => writeNewFile(at("a"), text)),
    );
    const failures = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(failures.map(({ reason }) => reason.code)).toEqual(["EEXIST", "EEXIST", "EEXIST"]);
    const written = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect(await readFile(at("a"), "utf8")).toBe(`${written + 1}`);
    expect(await readdir(folder)).toEqual(["a"]);
  });

  test("does not follow a link that leads nowhere", async () => {
    await symlink("nowhere", at("link"));
    await expect(writeNewFile(at("link"), "")).rejects.toThrow(/it exists already$/);
    expect(await readdir(folder)).toEqual(["link"]);
  });
});

describe("temporary files in the folder of a file that is written", () => {
  const [, machine] = /^\.edgeproof-(\w+)-/.exec(temporaryName())!;
  const random = () => randomUUID().slice(-12);
  const nameOf = (pid: number, of = machine) => `.edgeproof-${of}-${pid}-${random()}.partial`;
  const ended = () => spawnSync(process.execPath, ["-e", ""]).pid;

  async function isKept(name: string, ageDays = 0): Promise<boolean> {
    await writeFile(at(name), "half");
    const written = new Date(Date.now() - ageDays * 86_400_000);
    await utimes(at(name), written, written);
    await replaceFile(at("file"), "whole");
    return (await readdir(folder)).includes(name);
  }

  test("are removed when their process has ended", async () => {
    expect(await isKept(nameOf(ended()))).toBe(false);
  });

  test("are kept while their process runs or when it is on another machine, for a week", async () => {
    const other = "0".repeat(12);
    for (const [pid, of] of [
      [process.pid, machine],
      [1, machine],
      [ended(), other],
    ] as const) {
      folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
      expect([pid, of, await isKept(nameOf(pid, of), 6)]).toEqual([pid, of, true]);
      folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
      expect([pid, of, await isKept(nameOf(pid, of), 8)]).toEqual([pid, of, false]);
    }
  });

  test("are no other files: those with another name, folders and links stay", async () => {
    const pid = ended();
    expect(await isKept(`copy-of${nameOf(pid)}`, 30)).toBe(true);
    folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
    const [inner, link] = [nameOf(pid), nameOf(pid)];
    await mkdir(at(inner));
    await symlink("nowhere", at(link));
    await removeLeftovers(folder);
    expect((await readdir(folder)).sort()).toEqual([inner, link].sort());
  });
});
