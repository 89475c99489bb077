/** Encodings of request bodies: compressed ones, other charsets, multipart boundaries and the charsets of parts. */
import { describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { storedImages } from "../../support/images.ts";

const base = "https://edge.test/client/v4";
const rules = `${base}/zones/z1/token_validation/config`;
const images = `${base}/accounts/a1/images/v1`;
const drafts = `${base}/accounts/a1/images/v2/direct_upload`;
const authorization = "Bearer t";

function send(url: string, init: RequestInit, edge = createEdge()): Promise<Response> {
  return edge.fetch(new Request(url, init));
}

function post(url: string, headers: Record<string, string>, body: RequestInit["body"], edge = createEdge()) {
  return send(url, { method: "POST", headers: { authorization, ...headers }, body }, edge);
}

const json = { "content-type": "application/json" };
const wrongJson = { status: 400, code: 10400, pointer: "" };

describe("Content-Encoding", () => {
  test.each(["gzip", "br", "deflate", "zstd", "GZIP", "identity, gzip", "gzip, identity", "aes128gcm", "x"])(
    "%s: 415, 10415, in every area that reads a body",
    async (encoding) => {
      const headers = { ...json, "content-encoding": encoding };
      const message = /Content-Encoding/;
      await expectFailure(await post(rules, headers, "5"), { status: 415, code: 10415, message });
      const form = new FormData();
      form.set("id", "x");
      const edge = createEdge();
      const response = await post(images, { "content-encoding": encoding }, form, edge);
      await expectFailure(response, { status: 415, code: 10415, message });
      expect(await storedImages(edge)).toMatchObject({ images: [] });
    },
  );

  test.each(["identity", "Identity", "identity, identity", ""])("%j is accepted", async (encoding) => {
    await expectFailure(await post(rules, { ...json, "content-encoding": encoding }, "5"), wrongJson);
  });

  test("of a request without a body is ignored", async () => {
    const headers = { authorization, "content-encoding": "gzip" };
    expect((await send(rules, { headers })).status).toBe(200);
    const id = "00000000-0000-4000-8000-000000000000";
    await expectFailure(await send(`${rules}/${id}`, { method: "DELETE", headers }), {
      status: 404,
      code: 10404,
    });
  });

  test("is looked at after the credentials", async () => {
    const headers = { ...json, "content-encoding": "gzip", authorization: "x" };
    await expectFailure(await post(rules, headers, "5"), { status: 401, code: 6003 });
  });
});

describe("the charset of a request", () => {
  test.each(["utf-8", "UTF-8", '"utf-8"', "utf8", "US-ASCII"])("%s is accepted", async (charset) => {
    const headers = { "content-type": `application/json; charset=${charset}` };
    await expectFailure(await post(rules, headers, "5"), wrongJson);
  });

  test.each(["iso-8859-1", "utf-16", '"latin1"', "windows-1252", "nonsense", ""])(
    "%j: 415, 10415",
    async (charset) => {
      const headers = { "content-type": `application/json; charset=${charset}` };
      await expectFailure(await post(rules, headers, "5"), { status: 415, code: 10415, message: /charset/ });
    },
  );

  test("of a form is read in the same way, and not from within its boundary", async () => {
    const form = (type: string) =>
      post(drafts, { "content-type": `multipart/form-data; ${type}` }, "--b--\r\n");
    await expectFailure(await form("boundary=b; charset=latin1"), { status: 415, code: 10415 });
    expect((await form("charset=UTF-8; boundary=b")).status).toBe(200);
    const quoted = "--x charset=latin1--\r\n";
    const response = await post(
      drafts,
      { "content-type": 'multipart/form-data; boundary="x charset=latin1"' },
      quoted,
    );
    expect(response.status).toBe(200);
  });
});

/** A form with one text field, of which each part has the given headers. */
function form(boundary: string, value: Uint8Array | string, ...headers: readonly string[]): Buffer {
  const head = ['Content-Disposition: form-data; name="creator"', ...headers].join("\r\n");
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
}

function postForm(boundary: string, body: Buffer, edge = createEdge()): Promise<Response> {
  const type = `multipart/form-data; boundary=${boundary}`;
  return post(drafts, { "content-type": type }, body as Buffer<ArrayBuffer>, edge);
}

describe("the boundary of a form", () => {
  test.each([1, 69, 70])("may have %i characters", async (length) => {
    const boundary = "b".repeat(length);
    expect((await postForm(boundary, form(boundary, "x"))).status).toBe(200);
  });

  test.each([71, 200, 253, 300, 8_000])("of %i characters: 400, 5400", async (length) => {
    const boundary = "b".repeat(length);
    const message = new RegExp(`at most 70 characters; it has ${length}`);
    await expectFailure(await postForm(boundary, form(boundary, "x")), { status: 400, code: 5400, message });
  });
});

describe("the charset of a part", () => {
  async function creatorOf(value: Uint8Array | string, ...headers: readonly string[]): Promise<string> {
    const edge = createEdge();
    const { result } = await jsonOf(await postForm("b", form("b", value, ...headers), edge));
    return (await edge.images.get("a1", result.id)).image.creator ?? "";
  }

  test.each<[string, Uint8Array, string]>([
    ["utf-8", Buffer.from("grün €"), "grün €"],
    ["UTF8", Buffer.from("grün"), "grün"],
    ["iso-8859-1", Buffer.from("grün", "latin1"), "grün"],
    ["windows-1252", Buffer.from([0x80]), "€"],
    ['"utf-16le"', Buffer.from("grün €", "utf16le"), "grün €"],
    ["shift_jis", Buffer.from([0x83, 0x65]), "テ"],
  ])("%s decodes it", async (charset, bytes, text) => {
    expect(await creatorOf(bytes, `Content-Type: text/plain; charset=${charset}`)).toBe(text);
    expect(await creatorOf(bytes, "X-A: 1", `content-type:text/plain;\r\n charset=${charset}`)).toBe(text);
  });

  test("is UTF-8 by default", async () => {
    expect(await creatorOf("grün")).toBe("grün");
    expect(await creatorOf("grün", "Content-Type: text/plain")).toBe("grün");
  });

  test.each(["nonsense", "base64", "utf-7", "hex"])("%s is unknown: 400, 5400", async (charset) => {
    const body = form("b", "x", `Content-Type: text/plain; charset=${charset}`);
    await expectFailure(await postForm("b", body), {
      status: 400,
      code: 5400,
      pointer: "/creator",
      message: /charset/,
    });
  });
});
