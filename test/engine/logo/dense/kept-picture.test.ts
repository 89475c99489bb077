/** Kept pictures: drawn once, and restored to the page that was prepared, whatever the workspace had between. */

import { describe, expect, test } from "vitest";
import { runSteps } from "../../../../src/core/work/steps.ts";
import { calibrationDrawings } from "../../../../src/engine/logo/dense/calibration-pictures.ts";
import { keptPicture } from "../../../../src/engine/logo/dense/kernels/kept-picture.ts";
import { allocate, type DensePath } from "../../../../src/engine/logo/dense/kernels/kernels.ts";
import type { PreparedPage } from "../../../../src/engine/logo/dense/prepare-page.ts";
import { textDrawings } from "../../../../src/engine/logo/text/text-pictures.ts";
import { preparePage } from "../whole-steps.ts";
import { noise } from "./scenes.ts";

/** All that a search reads of a page. */
function searchedParts({ layout, memory, active }: PreparedPage) {
  const part = (at: number, bytes: number) => Buffer.from(memory.buffer, at, bytes).toString("latin1");
  const levels = layout.levels.map(({ stride, rows, fieldAt, cells }) => [
    part(fieldAt, 2 * stride * rows),
    ...cells.map(({ at, step, planeBytes }) => part(at, 8 * step * step * planeBytes)),
  ]);
  return { active, levels };
}

describe.each(["simd", "plain"] as DensePath[])("on the path %s", (path) => {
  const drawings = [calibrationDrawings[2]!, calibrationDrawings[8]!, textDrawings()[1]!];
  const compared = path === "plain" ? drawings.slice(0, 1) : drawings;

  test("a kept picture is drawn once, and has the parts of a prepared page each time", () => {
    for (const draw of compared) {
      let drawn = 0;
      const kept = keptPicture(() => {
        drawn++;
        return draw();
      });
      const expected = searchedParts(preparePage(draw(), { path }));
      const workspace = allocate(0, path);
      const first = runSteps(kept(workspace));
      expect(searchedParts(first)).toEqual(expected);
      const between = preparePage(noise(first.width, first.height, 7), { path, reuse: first });
      expect(between.memory).toBe(first.memory);
      expect(searchedParts(runSteps(kept(between)))).toEqual(expected);
      const other = preparePage(noise(300, 200, 8), { path, reuse: between });
      expect(searchedParts(runSteps(kept(other)))).toEqual(expected);
      expect(drawn).toBe(1);
    }
  });
});
