/** That describing pictures and compiling a logo take the WebAssembly paths, which equal those in TypeScript (`picture-kernels.prop.test.ts`). */

import { beforeEach, expect, test, vi } from "vitest";
import type * as Kernels from "../../../../src/engine/logo/decode/kernels/picture-kernels.ts";
import { describeRaster } from "../../../../src/engine/logo/describe.ts";
import { drawings, paint } from "../drawings.ts";
import { cutOut, templatesOf } from "../whole-steps.ts";

const calls = vi.hoisted(() => new Set<string>());

vi.mock("../../../../src/engine/logo/decode/kernels/picture-kernels.ts", async (importOriginal) => {
  const original = await importOriginal<typeof Kernels>();
  const counted = (found: ReturnType<typeof original.pictureKernels>) =>
    found && {
      ...found,
      kernels: Object.fromEntries(
        Object.entries(found.kernels).map(([name, kernel]: [string, (...numbers: number[]) => unknown]) => [
          name,
          (...numbers: number[]) => {
            calls.add(name);
            return kernel(...numbers);
          },
        ]),
      ),
    };
  return {
    pictureKernels: (bytes: number) => counted(original.pictureKernels(bytes)),
    ownPictureKernels: (bytes: number) => counted(original.ownPictureKernels(bytes)),
  };
});

beforeEach(() => calls.clear());

test("describing a large and a small picture calls every kernel of describing", () => {
  const [width, height] = [1500, 700];
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const isWord = (x >> 6) % 3 === 1 && (y >> 5) % 2 === 1;
      if (isWord) data.fill(20, i, i + 3);
      else if (y > 300) data[i] = 100 + x / 12;
    }
  }
  describeRaster({ width, height, data });
  describeRaster({ width: 300, height: 200, data: data.subarray(0, 300 * 200 * 4) });
  expect([...calls].sort()).toEqual(["addRow", "averageRow", "halveColors", "opaqueColors", "writeRow"]);
});

test("the templates of a logo are resampled by the kernels", () => {
  templatesOf(cutOut(paint(drawings["hooks"]!))!);
  expect([...calls].sort()).toEqual(["addRow", "averageFloats", "writeFloats"]);
});
