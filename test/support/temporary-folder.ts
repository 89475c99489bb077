/** All temporary folders of a test run are in one folder, which is removed at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const prefix = "edgeproof-tests-";

/** Every project of a run calls this; only the first call creates the folder. */
export default function setup(): (() => void) | undefined {
  if (tmpdir().includes(prefix)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), prefix));
  // Read by `os.tmpdir()`, here and in every process that is started.
  process.env["TMPDIR"] = folder;
  // Scripts of `bundled.ts` are in a folder with the same name.
  const bundles = join("node_modules/.cache", basename(folder));
  return () => {
    for (const each of [folder, bundles]) rmSync(each, { recursive: true, force: true });
  };
}
