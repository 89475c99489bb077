/** Errors of the decoder are about the picture; errors of the machine are not. */
import { describe, expect, test } from "vitest";
import { decoderMessage } from "../../../src/engine/picture/sharp.ts";
import { DependencyUnavailableError } from "../../../src/errors.ts";

describe("decoderMessage", () => {
  test.each([
    ["VipsJpeg: premature end of JPEG image.\nVipsJpeg: again", "VipsJpeg: premature end of JPEG image"],
    ["Input buffer contains unsupported image format", "Input buffer contains unsupported image format"],
    ["pngload_buffer: libspng read error", "pngload_buffer: libspng read error"],
  ])("returns the first line of an error about the picture: %j", (message, expected) => {
    expect(decoderMessage(new Error(message))).toBe(expected);
  });

  test.each([
    ["a time-out", new Error("timeout: 42% complete")],
    ["a time-out after another line", new Error("webpload_buffer: stopped\ntimeout: 42% complete")],
    ["missing memory of libvips", new Error("vips_tracked: out of memory --- size == 100MB")],
    ["missing memory of C++", new Error("std::bad_alloc")],
    ["missing memory of V8", new RangeError("Array buffer allocation failed")],
    ["missing threads", new Error("unable to create thread")],
    ["missing descriptors", Object.assign(new Error("open /secret/a.node"), { code: "EMFILE" })],
    ["an outage", new DependencyUnavailableError("gone")],
  ])("throws an outage without a path for %s", (_name, error) => {
    expect(() => decoderMessage(error)).toThrow(DependencyUnavailableError);
    expect(() => decoderMessage(error)).not.toThrow(/secret/);
  });
});
