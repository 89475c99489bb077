import { planGeometry, type VariantOptions } from "edgeproof/images";
import { describe, expect, test } from "vitest";

const photo = { width: 1080, height: 720 };

/** The observed figures of `docs/interface/images.md`, Variants. */
const observed: [string, { width: number; height: number }, VariantOptions, string][] = [
  ["scale-down into a smaller box", photo, { fit: "scale-down", width: 500, height: 500 }, "500x333"],
  ["cover of a smaller box", photo, { fit: "cover", width: 500, height: 500 }, "500x500"],
  ["scale-down into a larger box", photo, { fit: "scale-down", width: 2000, height: 2000 }, "1080x720"],
  ["crop to a larger box", photo, { fit: "crop", width: 1296, height: 1296 }, "1080x720"],
  ["crop to a box wider and lower", photo, { fit: "crop", width: 1296, height: 500 }, "1080x500"],
  ["half a pixel goes up", { width: 100, height: 50 }, { width: 33 }, "33x17"],
];

const chosen: [string, { width: number; height: number }, VariantOptions, string][] = [
  ["contain enlarges", photo, { fit: "contain", width: 2160, height: 3000 }, "2160x1440"],
  ["cover enlarges", photo, { fit: "cover", width: 2000, height: 2000 }, "2000x2000"],
  ["pad fills the box", photo, { fit: "pad", width: 500, height: 400 }, "500x400"],
  ["a missing height follows", photo, { fit: "cover", width: 540 }, "540x360"],
  ["a missing width follows", photo, { fit: "pad", height: 1440 }, "2160x1440"],
  ["one side alone does not enlarge with scale-down", photo, { width: 5000 }, "1080x720"],
  ["one side alone does not enlarge with crop", photo, { fit: "crop", height: 5000 }, "1080x720"],
  ["one side alone enlarges with contain", photo, { fit: "contain", width: 2160 }, "2160x1440"],
  ["no side vanishes", { width: 10_000, height: 1 }, { width: 10, height: 10 }, "10x1"],
  ["scale-down is the default fit", photo, { width: 540, height: 1000 }, "540x360"],
];

describe("planGeometry", () => {
  test.each([...observed, ...chosen])("%s", (_, source, options, size) => {
    const { output } = planGeometry(source, options);
    expect(`${output.width}x${output.height}`).toBe(size);
  });

  test("pad centers the image; an odd pixel is right and below", () => {
    const plan = planGeometry(photo, { fit: "pad", width: 500, height: 500 });
    expect(plan).toEqual({
      kind: "scale",
      inner: { width: 500, height: 333 },
      output: { width: 500, height: 500 },
      left: 0,
      top: 83,
    });
  });

  test("the example of the docstring", () => {
    expect(planGeometry({ width: 100, height: 50 }, { width: 33 }).output).toEqual({ width: 33, height: 17 });
  });
});
