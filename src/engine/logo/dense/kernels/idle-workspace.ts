/**
 * Keeps the workspace of the last search for the next one: the first write to each page of new memory costs several
 * times what a preparation costs. `chosen`
 */

import { type DensePath, densePath, type Workspace } from "./kernels.ts";

/** Maximum of bytes that are kept: enough for a page of 1920 x 1080 pixels. */
const maxKeptBytes = 64 * 1024 * 1024;

let idle: Workspace | undefined;

/** Takes the kept workspace, so that no other search has it; undefined when there is none with this path. */
export function takeWorkspace(path: DensePath = densePath()): Workspace | undefined {
  if (idle?.path !== path) return undefined;
  const taken = idle;
  idle = undefined;
  return taken;
}

/** Keeps a workspace that nothing reads any more, or the larger one that is kept already. */
export function keepWorkspace(workspace: Workspace | undefined): void {
  if (!workspace || sizeOf(workspace) > maxKeptBytes) return;
  if (!idle || sizeOf(workspace) > sizeOf(idle)) idle = workspace;
}

function sizeOf({ memory }: Workspace): number {
  return memory.buffer.byteLength;
}
