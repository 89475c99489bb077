/** Properties of the form reader. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../src/errors.ts";
import { readForm } from "../../../src/http/requests/upload-form.ts";
import type { UploadForm } from "../../../src/service/images/uploads/form.ts";
import { runs } from "../../support/runs.ts";

const limits = { fileBytes: 2_000 };

interface Part {
  readonly name: string;
  readonly value: Uint8Array;
  readonly filename?: string;
}

/** A form as RFC 7578 specifies it. */
function encode(parts: readonly Part[], boundary: string): Buffer {
  const chunks = parts.flatMap(({ name, value, filename }) => {
    const file = filename === undefined ? "" : `; filename="${filename}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), value, Buffer.from("\r\n")];
  });
  return Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
}

/** The bytes in chunks of the given sizes. */
function inPieces(bytes: Uint8Array, sizes: readonly number[]): ReadableStream<Uint8Array> {
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      const size = sizes[turn++ % sizes.length]!;
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}

function read(body: ReadableStream<Uint8Array> | Uint8Array, boundary: string): Promise<UploadForm> {
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return readForm(
    new Request("https://edge.test/", { method: "POST", headers, body, duplex: "half" } as RequestInit),
    limits,
  );
}

const boundary = fc
  .stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{1,20}$/)
  .map((text) => `b${text.replaceAll(/[(),/:=?']/g, "-")}`);
const name = fc.constantFrom("id", "metadata", "metadata[a][b]", "é", "__proto__", "requireSignedURLs");
const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });

describe("a form", () => {
  test("is read as it was written, in chunks of any size, even when it contains the boundary", async () => {
    const field = fc.record({ name, value: fc.string({ unit: "grapheme" }) });
    await fc.assert(
      fc.asyncProperty(
        boundary,
        fc.array(field, { maxLength: 6 }),
        fc.option(fc.uint8Array({ maxLength: 200 })),
        sizes,
        async (mark, fields, file, pieces) => {
          // The boundary itself, without the line break before it.
          const tricky = Buffer.concat([Buffer.from(`x--${mark}--\n--${mark}`), file ?? Buffer.alloc(0)]);
          fc.pre(
            !tricky.includes(`\r\n--${mark}`) &&
              fields.every(({ value }) => !value.includes(`\r\n--${mark}`)),
          );
          const parts: Part[] = fields.map((f) => ({ name: f.name, value: Buffer.from(f.value) }));
          if (file) parts.splice(fields.length >> 1, 0, { name: "file", value: tricky, filename: "ä.png" });
          const form = await read(inPieces(encode(parts, mark), pieces), mark);
          expect(form.fields).toEqual(fields.map((f) => [f.name, f.value.toWellFormed()]));
          expect(form.file === undefined).toBe(!file);
          if (!file) return;
          expect(form.file?.filename).toBe("ä.png");
          expect(Buffer.from(form.file!.bytes).equals(tricky)).toBe(true);
        },
      ),
      { numRuns: runs(150) },
    );
  });

  test("that is cut off anywhere is rejected, and never hangs", async () => {
    const whole = encode(
      [
        { name: "id", value: Buffer.from("x") },
        { name: "file", value: Buffer.from("abc\r\n--"), filename: "a" },
      ],
      "b",
    );
    const end = whole.length - 2;
    for (let length = 0; length < end; length++) {
      await expect(read(whole.subarray(0, length), "b"), `${length} bytes`).rejects.toMatchObject({
        code: 5400,
      });
    }
    await expect(read(whole.subarray(0, end), "b")).resolves.toBeDefined();
  });

  test("of any bytes is read or rejected, in limited time", async () => {
    const line = fc.constantFrom(
      "--b\r\n",
      "--b--",
      "--b--\r\n",
      "\r\n",
      "\r\n\r\n",
      "Content-Disposition: form-data; name=file\r\n",
      'Content-Disposition: form-data; name="a"; filename=""\r\n',
      "Content-Disposition: attachment\r\n",
      "Content-Type: text/plain; charset=utf-16\r\n",
      "Content-Transfer-Encoding: base64\r\n",
      "x".repeat(3_000),
    );
    const noise = fc
      .array(fc.oneof(line, fc.string()), { maxLength: 12 })
      .map((texts) => Buffer.from(texts.join("")));
    await fc.assert(
      fc.asyncProperty(noise, sizes, async (bytes, pieces) => {
        const outcome = await read(inPieces(bytes, pieces), "b").catch((error: unknown) => error);
        if (outcome instanceof ApiError) expect([5400, 5413]).toContain(outcome.code);
        else expect(outcome).toHaveProperty("fields");
      }),
      { numRuns: runs(400) },
    );
  });

  test("accepts a file of exactly the maximum size, and rejects one byte more", async () => {
    const file = (size: number) =>
      encode([{ name: "file", value: Buffer.alloc(size, 65), filename: "a" }], "b");
    for (const pieces of [[1], [1_000], [64_000]]) {
      expect((await read(inPieces(file(2_000), pieces), "b")).file?.bytes).toHaveLength(2_000);
      await expect(read(inPieces(file(2_001), pieces), "b")).rejects.toMatchObject({ code: 5413 });
    }
  });

  test("has limits for everything except the file", async () => {
    const part = (partName: string, size: number) => ({ name: partName, value: Buffer.alloc(size, 65) });
    await expect(read(encode([part("a", 65_537)], "b"), "b")).rejects.toMatchObject({ code: 5413 });
    const many = Array.from({ length: 257 }, (_, i) => part(`f${i}`, 1));
    await expect(read(encode(many, "b"), "b")).rejects.toMatchObject({ code: 5400 });
    expect((await read(encode(many.slice(1), "b"), "b")).fields).toHaveLength(256);
    await expect(read(encode([part("file", 1), part("file", 1)], "b"), "b")).rejects.toMatchObject({
      code: 5400,
    });
  });
});
