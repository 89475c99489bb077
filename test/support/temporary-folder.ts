/** All temporary folders of a test run are in one folder, which is removed at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "edgeproof-tests-"));
  // Read by `os.tmpdir()`, here and in every process that is started.
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
