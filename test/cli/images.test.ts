/** `render`, `sign` and the switches of `serve` that belong to images. */
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { photo } from "../../src/cli/demo/photo.ts";
import { signAddress, verifyAddress } from "../../src/engine/images/signing.ts";
import { edgeproof } from "../support/cli.ts";
import { jsonOf } from "../support/client.ts";
import { formOf } from "../support/images.ts";

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
  await writeFile(at("in.jpg"), photo);
  await writeFile(at("in.svg"), '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>');
  await writeFile(at("in.txt"), "no image");
});

describe("render", () => {
  test("writes the same file as delivery", async () => {
    const words = [
      "images",
      "render",
      at("in.jpg"),
      at("out.webp"),
      "--fit",
      "cover",
      "--width",
      "256",
      "--height",
      "256",
    ];
    const { code, out } = await edgeproof(words);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/out\.webp: image\/webp, 256 x 256 pixels, \d+ bytes\n$/),
    ]);
    const { format, width, height } = await sharp(await readFile(at("out.webp"))).metadata();
    expect([format, width, height]).toEqual(["webp", 256, 256]);
  });

  test("applies the orientation, keeps the copyright or nothing, and derives a missing side", async () => {
    const kept = await edgeproof([
      "images",
      "render",
      at("in.jpg"),
      at("kept.jpg"),
      "--width",
      "160",
      "--json",
    ]);
    expect(JSON.parse(kept.out)).toMatchObject({
      contentType: "image/jpeg",
      width: 160,
      height: 240,
      frames: 1,
    });
    expect((await readFile(at("kept.jpg"))).includes("Ada Lovelace")).toBe(true);
    await edgeproof([
      "images",
      "render",
      at("in.jpg"),
      at("none.jpg"),
      "--width",
      "160",
      "--metadata",
      "none",
    ]);
    expect((await readFile(at("none.jpg"))).includes("Ada Lovelace")).toBe(false);
  });

  test("reads standard input, cleans an SVG, accepts an Accept header", async () => {
    const { code } = await edgeproof(["images", "render", "-", at("std.avif"), "--width", "20"], photo);
    expect(code).toBe(0);
    expect((await edgeproof(["images", "render", at("in.svg"), at("out.svg"), "--width", "20"])).code).toBe(
      0,
    );
    expect(await readFile(at("out.svg"), "utf8")).not.toContain("onload");
    const accept = ["--accept", "image/webp;q=0.5,image/*"];
    expect(
      (await edgeproof(["images", "render", at("in.jpg"), at("a.webp"), "--width", "20", ...accept])).code,
    ).toBe(0);
  });

  test.each<[string[], RegExp]>([
    [[], /expected the file or folder to read and the one to write/],
    [["in.jpg"], /expected the file or folder to read and/],
    [["missing.jpg", "out.jpg", "--width", "5"], /the file does not exist/],
    [["in.jpg", "out.webp"], /the size is missing: set --width, --height, --options or --variants/],
    [["in.jpg", "out.webp", "--width", "x"], /--width must be an integer from 1 to 12000; found `x`/],
    [["in.jpg", "out.webp", "--width", "12001"], /1 to 12000/],
    [["in.jpg", "out.webp", "--width", "5", "--fit", "fill"], /--fit must be .*; found `fill`/],
    [["in.jpg", "out.webp", "--width", "5", "--metadata", "all"], /--metadata must be .*; found `all`/],
    [["in.jpg", "out.png", "--width", "5"], /delivered only as AVIF, WebP or JPEG/],
    [["in.jpg", "out", "--width", "5"], /must end in \.jpg/],
    [["in.svg", "out.webp", "--width", "5"], /delivered only as SVG/],
    [["in.txt", "out.webp", "--width", "5"], /not an image/],
    [["in.jpg", "out.jpg", "--width", "5", "--accept", "image/webp"], /is delivered as image\/webp/],
    [["in.jpg", "nowhere/out.jpg", "--width", "5"], /cannot write/],
  ])("%j exits with 2 and a message", async (words, message) => {
    const [from, to, ...rest] = words;
    const files = [from, to].filter((name) => name !== undefined).map(at);
    const { code, err, out } = await edgeproof(["images", "render", ...files, ...rest]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });
});

describe("render --options", () => {
  const render = (to: string, ...rest: string[]) =>
    edgeproof(["images", "render", at("in.jpg"), at(to), ...rest]);

  test("writes what the address of a transformation has, with its warnings", async () => {
    const { code, out } = await render("out.webp", "--options", "w=30,h=30,fit=cover,g=face,f=webp");
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/30 x 30 .* \(gravity=face is not simulated\)\n$/),
    ]);
    const { code: second, out: json } = await render("out.json", "--options", "w=30,f=json", "--json");
    expect([second, JSON.parse(json)]).toMatchObject([0, { contentType: "application/json", warnings: [] }]);
    expect(JSON.parse(await readFile(at("out.json"), "utf8"))).toMatchObject({ width: 30 });
  });

  test("the extension of the output is the Accept header of `f=auto`", async () => {
    expect((await render("auto.webp", "--options", "w=30,f=auto")).out).toMatch(/image\/webp/);
  });

  test.each<[string[], RegExp]>([
    [["--options", "w=0,fit=fill"], /--options: character 1: [^\n]*`0`.*\n {2}character 5: [^\n]*Astro/],
    [["--options", ""], /--options: character 1: /],
    [["--options", "w=4", "--width", "5"], /--options replaces --width; give only one of them/],
    [["--options", "w=4", "--variants", "v.json"], /--options replaces --variants/],
    [["--options", "w=4,f=webp"], /is delivered as image\/webp; choose/],
    [["--options", "f=json", "--check", "golden"], /--check compares pictures/],
  ])("%j exits with 2 and a message", async (words, message) => {
    const { code, err, out } = await render("out.jpg", ...words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });
});

describe("sign", () => {
  const address = "https://images.test/hash/a%2Fb/public";

  test("signs without an expiry, for a duration, or until a time", async () => {
    expect((await edgeproof(["images", "sign", address, "--key", "k"])).out).toBe(
      `${signAddress(address, "k")}\n`,
    );
    const until = await edgeproof([
      "images",
      "sign",
      address,
      "--key",
      "k",
      "--expires",
      "2026-01-31T12:00:00Z",
    ]);
    expect(until.out).toBe(`${signAddress(address, "k", Date.UTC(2026, 0, 31, 12) / 1000)}\n`);
    const before = Math.floor(Date.now() / 1000);
    for (const [word, seconds] of [
      ["90s", 90],
      ["15m", 900],
      ["1h", 3_600],
      ["7d", 604_800],
    ] as const) {
      const { out } = await edgeproof(["images", "sign", "/hash/id/public", "--key", "k", "--expires", word]);
      const [pathname = "", query = ""] = out.trim().split("?");
      const verified = verifyAddress({ pathname, query }, ["k"], Date.now());
      expect(verified.ok && (verified.value.expiresAt ?? 0) - before - seconds).toBeOneOf([0, 1, 2, 3]);
    }
  });

  test("reads the key from the environment or standard input", async () => {
    const signed = `${signAddress(address, "k k")}\n`;
    const env = { SIGNING_KEY: "k k" };
    expect((await edgeproof(["images", "sign", address, "--key-env", "SIGNING_KEY"], "", { env })).out).toBe(
      signed,
    );
    for (const text of ["k k", "k k\n", "k k\r\n"])
      expect((await edgeproof(["images", "sign", address, "--key", "-"], text)).out).toBe(signed);
  });

  test.each<[string[], string | Uint8Array, RegExp]>([
    [
      ["--key-env", "UNSET"],
      "",
      /the environment variable `UNSET` is not set; it must hold the value of a signing key/,
    ],
    [["--key-env", "EMPTY"], "", /the environment variable `EMPTY` is empty/],
    [["--key-env", ""], "", /--key-env must be the name of an environment variable; it is empty/],
    [
      ["--key-env", "SET", "--key", "k"],
      "",
      /--key and --key-env are both given; only one of them is allowed/,
    ],
    [["--key", "-"], "", /standard input is empty; it must hold the value of a signing key/],
    [["--key", "-"], "\n", /standard input is empty/],
    [["--key", "-"], "a\nb\n", /standard input has several lines/],
    [["--key", "-"], new Uint8Array([0xff]), /standard input is not valid UTF-8/],
  ])("%j with standard input %j exits with 2 and a message", async (words, text, message) => {
    const { code, err, out } = await edgeproof(["images", "sign", address, ...words], text, {
      env: { SET: "k", EMPTY: "" },
    });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });

  test.each(["https://images.test/hash/ü x/public", "/hash/ü x/../y/public?a=b c#top"])(
    "signs %s as clients send it",
    async (typed) => {
      const signed = new URL(
        (await edgeproof(["images", "sign", typed, "--key", "k"])).out.trim(),
        "https://images.test",
      );
      const { pathname, search } = new URL(new Request(signed).url);
      expect(verifyAddress({ pathname, query: search.slice(1) }, ["k"], 0)).toEqual({ ok: true, value: {} });
    },
  );

  test.each<[string[], RegExp]>([
    [["https://a b/x", "--key", "k"], /must be a URL/],
    [[], /expected 1 address to sign; found 0/],
    [[address, address, "--key", "k"], /expected 1 address to sign; found 2/],
    [["images.test/x", "--key", "k"], /must be a URL/],
    [[address], /--key must be .*; it is missing/],
    [[address, "--key", ""], /--key must be .*; it is missing/],
    [[address, "--key", "k", "--expires", "soon"], /--expires must be .*; found `soon`/],
    [[address, "--key", "k", "--expires", "1y"], /--expires must be .*; found `1y`/],
  ])("%j exits with 2 and a message", async (words, message) => {
    const { code, err, out } = await edgeproof(["images", "sign", ...words]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });
});

describe("serve", () => {
  async function uploadByUrl(words: readonly string[], url: string): Promise<[number, unknown]> {
    const stop = new AbortController();
    let base = "";
    const onOut = (text: string) => {
      base ||= /http:\S+/.exec(text)?.[0] ?? "";
    };
    const running = edgeproof(["serve", "--port", "0", ...words], undefined, { signal: stop.signal, onOut });
    await expect.poll(() => base, { timeout: 10_000 }).not.toBe("");
    const headers = { authorization: "Bearer t" };
    const response = await fetch(`${base}/accounts/a1/images/v1`, {
      method: "POST",
      headers,
      body: formOf({ url }),
    });
    const body = await jsonOf(response);
    stop.abort();
    await running;
    return [response.status, body.success ? body.result.variants[0] : body.errors[0].message];
  }

  test("fetches nothing, from the public internet, or from everywhere", async () => {
    const server = createServer((_request, response) => response.end(photo));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.jpg`;
    expect(await uploadByUrl([], url)).toEqual([400, expect.stringMatching(/--fetch-urls/)]);
    expect(await uploadByUrl(["--fetch-urls"], url)).toEqual([400, expect.stringMatching(/public internet/)]);
    const delivery = ["--fetch-private", "--delivery-url", "http://img.test"];
    expect(await uploadByUrl(delivery, url)).toEqual([
      200,
      expect.stringMatching(/^http:\/\/img\.test\/[\w-]{22}\//),
    ]);
    server.close();
  });

  test("requires an origin", async () => {
    const { code, err } = await edgeproof(["serve", "--delivery-url", "img.test"]);
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/--delivery-url must be an origin.*; found `img.test`/),
    ]);
  });
});

test("demo shows every fit in pixels and bytes, and signed addresses", async () => {
  const { code, out } = await edgeproof(["demo"]);
  expect(code).toBe(0);
  for (const row of [
    "scale-down  171 x 256",
    "cover       400 x 256",
    "crop        320 x 256",
    "pad         400 x 256",
  ]) {
    expect(out).toContain(row);
  }
  expect(out.match(/\(c\) 2026 Ada Lovelace/g)).toHaveLength(5);
  expect(out).toMatch(/^200 +signed, for another hour/m);
  expect(out).toMatch(/^403 +signed, expired an hour ago +ERROR 9425/m);
});
