/** The chunks of streams of a maximum size. */
import { expect, test } from "vitest";
import { chunksUpTo } from "../../src/core/chunks-up-to.ts";

async function* chunksOf(...sizes: readonly number[]) {
  for (const size of sizes) yield new Uint8Array(size);
}

test("a stream has all chunks up to the maximum, and is undefined above it", async () => {
  expect(await chunksUpTo(chunksOf(1, 2), 3)).toEqual([new Uint8Array(1), new Uint8Array(2)]);
  expect(await chunksUpTo(chunksOf(2, 2, 1), 3)).toBeUndefined();
});

test("a stream that is too large is undefined also when its cancellation fails", async () => {
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(2)),
    cancel: () => Promise.reject(new Error("cannot be canceled")),
  });
  expect(await chunksUpTo(stream as unknown as AsyncIterable<Uint8Array>, 3)).toBeUndefined();
});

test("an error of the stream is thrown", async () => {
  async function* failing() {
    yield* chunksOf(1);
    throw new Error("the connection was lost");
  }
  await expect(chunksUpTo(failing(), 3)).rejects.toThrow("the connection was lost");
});
