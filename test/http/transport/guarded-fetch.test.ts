/** The guarded fetch against servers on this machine: addresses, redirects, sizes and times. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type GuardedFetchOptions,
  guardedFetchImage,
  type LookupAll,
} from "../../../src/http/fetch/guarded-fetch.ts";
import { isPublicAddress, isPublicOrPrivateAddress } from "../../../src/http/fetch/public-address.ts";
import { expectFailure } from "../../support/failure.ts";
import { imageSetting, png, storedImages } from "../../support/images.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

const asked: IncomingMessage[] = [];
let answers: Readonly<Record<string, Answer>> = {};
const server = createServer((request, response) => {
  asked.push(request);
  const answer = answers[new URL(request.url!, "http://x").pathname];
  if (answer) answer(response, request);
  else response.writeHead(404).end();
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  answers = {
    "/a.png": (response) => response.end("bytes"),
    "/to-a": redirect("/a.png"),
    "/to-to-a": redirect("/to-a"),
    "/to-private": redirect("http://10.1.2.3/a.png"),
    "/to-loopback": redirect(`http://127.0.0.2:${port}/a.png`),
    "/to-name": redirect(`http://internal.test:${port}/a.png`),
    "/to-credentials": redirect(`http://u:p@127.0.0.1:${port}/a.png`),
    "/to-here": redirect(`http://127.0.0.1:${port}/to-other`),
    "/to-other": redirect(`http://localhost:${port}/to-back`),
    "/to-back": redirect(`http://127.0.0.1:${port}/a.png`),
    "/to-file": redirect("file:///etc/passwd"),
    "/loop": redirect("/loop"),
    "/nowhere": (response) => response.writeHead(302).end(),
    "/endless": (response) => {
      const more = () => response.write(Buffer.alloc(10_000), () => response.destroyed || setImmediate(more));
      more();
    },
    "/silent": () => {},
    "/slow": (response) => void response.write("a"),
    "/tagged": (response) =>
      response.writeHead(200, { etag: '"t"', "cache-control": "max-age=9", "x-other": "1" }).end("bytes"),
    "/to-tagged": redirect("/tagged"),
    "/away": redirect(`http://localhost:${port}/tagged`),
    "/none": (response) => response.writeHead(204).end(),
    "/gzip": (response) => response.writeHead(200, { "content-encoding": "gzip" }).end("x"),
    "/broken": (response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half", () => response.destroy());
    },
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function redirect(location: string): Answer {
  return (response) => response.writeHead(302, { location }).end();
}

/** Treats only this machine's address as public, in addition to the public ones. */
const here: GuardedFetchOptions = { allow: (address) => address === "127.0.0.1" || isPublicAddress(address) };

function get(path: string, options: GuardedFetchOptions = here, maxBytes = 1_000): Promise<string> {
  const url = path.startsWith("/") ? `http://127.0.0.1:${port}${path}` : path;
  return guardedFetchImage(options)(url, { maxBytes }).then((bytes) => Buffer.from(bytes).toString());
}

/** A resolver that returns these addresses, one after another. */
function resolver(...addresses: readonly string[][]): { lookup: LookupAll; names: string[] } {
  const names: string[] = [];
  const lookup: LookupAll = (name, _options, callback) => {
    const found = addresses[Math.min(names.length, addresses.length - 1)]!;
    names.push(name);
    setImmediate(() =>
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      ),
    );
  };
  return { lookup, names };
}

test("fetches the bytes over its own connection, without compression", async () => {
  expect(await get("/a.png")).toBe("bytes");
  const { headers } = asked.at(-1)!;
  expect(headers).toMatchObject({ accept: "image/*", "accept-encoding": "identity", connection: "close" });
  expect(headers).not.toHaveProperty("authorization");
});

describe("addresses that are not public", () => {
  test.each([
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "127.1",
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.1.1",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fc00::1]",
  ])("http://%s is rejected without a connection", async (host) => {
    const before = asked.length;
    await expect(get(`http://${host}:${port}/a.png`, {})).rejects.toThrow(/not in the public internet/);
    expect(asked).toHaveLength(before);
  });

  test("localhost is rejected by the address that it resolves to", async () => {
    await expect(get(`http://localhost:${port}/a.png`, {})).rejects.toThrow(/not in the public internet/);
  });

  test.each(["/to-private", "/to-loopback"])(
    "a redirect to such an address is rejected (%s)",
    async (path) => {
      await expect(get(path)).rejects.toThrow(/not in the public internet/);
    },
  );

  test("a name with one such address among others is rejected", async () => {
    const { lookup } = resolver(["93.184.215.14", "10.0.0.1"]);
    await expect(get("http://mixed.test/a.png", { lookup })).rejects.toThrow(/10\.0\.0\.1/);
    const { lookup: mapped } = resolver(["::ffff:10.0.0.1"]);
    await expect(get("http://mapped.test/a.png", { lookup: mapped })).rejects.toThrow(/::ffff:10\.0\.0\.1/);
  });

  test("a name that resolves to such an address the second time is rejected then", async () => {
    const { lookup, names } = resolver(["127.0.0.1"], ["127.0.0.2"]);
    expect(await get(`http://rebind.test:${port}/a.png`, { ...here, lookup })).toBe("bytes");
    await expect(get(`http://rebind.test:${port}/a.png`, { ...here, lookup })).rejects.toThrow(
      /127\.0\.0\.2/,
    );
    // One lookup for each connection: the checked address is the connected one.
    expect(names).toHaveLength(2);
    const next = resolver(["127.0.0.1"], ["192.168.0.1"]);
    await expect(get(`http://rebind.test:${port}/to-name`, { ...here, lookup: next.lookup })).rejects.toThrow(
      /192\.168\.0\.1/,
    );
    expect(next.names).toEqual(["rebind.test", "internal.test"]);
  });

  test("are connected to when every address is allowed", async () => {
    expect(await get("/a.png", { allow: () => true })).toBe("bytes");
    expect(await get("/to-name", { allow: () => true, lookup: resolver(["127.0.0.1"]).lookup })).toBe(
      "bytes",
    );
  });

  test.each([
    ["8.8.8.8", true],
    ["172.32.0.1", true],
    ["100.128.0.1", true],
    ["172.31.255.255", false],
    ["100.127.255.255", false],
    ["224.0.0.1", false],
    ["255.255.255.255", false],
    ["2606:4700::1111", true],
    ["2001:db8::1", false],
    ["2001:0:1::", false],
    ["2001:4860::8888", true],
    ["fe80::1%eth0", false],
    ["example.com", false],
    ["", false],
  ])("isPublicAddress(%s) is %s", (address, expected) => {
    expect(isPublicAddress(address)).toBe(expected);
  });
});

describe("credentials in the URL", () => {
  const sent = (count: number) => asked.slice(-count).map(({ headers }) => headers.authorization);

  test("are sent as Basic to their origin, decoded", async () => {
    expect(await get(`http://ad%C3%A4:p%40%3A@127.0.0.1:${port}/to-a`)).toBe("bytes");
    const basic = `Basic ${Buffer.from("adä:p@:").toString("base64")}`;
    expect(sent(2)).toEqual([basic, basic]);
    expect(await get(`http://ada@127.0.0.1:${port}/a.png`)).toBe("bytes");
    expect(sent(1)).toEqual([`Basic ${Buffer.from("ada:").toString("base64")}`]);
  });

  test("are never sent after a redirect elsewhere, even when it leads back", async () => {
    const { lookup } = resolver(["127.0.0.1"]);
    expect(await get(`http://u:p@127.0.0.1:${port}/to-here`, { ...here, lookup })).toBe("bytes");
    const basic = `Basic ${Buffer.from("u:p").toString("base64")}`;
    expect(sent(4)).toEqual([basic, basic, undefined, undefined]);
  });

  test("are masked in messages and in the store, and the message names the rejected address", async () => {
    const { post, edge } = imageSetting({
      fetchImage: guardedFetchImage({ lookup: resolver(["10.0.0.1"]).lookup }),
    });
    const response = await post("/v1", { url: "http://ada:sec@ret@internal.test/a.png" });
    const message =
      /^The image at `http:\/\/\*\*\*@internal\.test\/a\.png` could not be fetched: the address 10\.0\.0\.1 of the host internal\.test is not in the public internet\.$/;
    await expectFailure(response, { status: 400, code: 5454, message });
    const echoing = imageSetting({
      fetchImage: (url) => Promise.reject(new Error(`cannot request ${url}`)),
    });
    const echoed = await echoing.post("/v1", { url: "https://ada:secret@example.com/a.png" });
    expect(await echoed.text()).not.toMatch(/ada|secret/);
    expect(JSON.stringify(await storedImages(edge))).not.toMatch(/sec|ada/);
  });
});

describe("limits", () => {
  test("at most three redirects are followed", async () => {
    expect(await get("/to-to-a")).toBe("bytes");
    await expect(get("/to-to-a", { ...here, redirects: 1 })).rejects.toThrow(/more than 1 times/);
    const before = asked.length;
    await expect(get("/loop")).rejects.toThrow(/more than 3 times/);
    expect(asked.length - before).toBe(4);
  });

  test("the size is limited while the body is read", async () => {
    await expect(get("/endless", here, 50_000)).rejects.toMatchObject({ code: 5413 });
    expect(await get("/a.png", here, 5)).toBe("bytes");
    await expect(get("/a.png", here, 4)).rejects.toMatchObject({ code: 5413 });
  });

  test.each(["/silent", "/slow", "/endless"])("the time is limited (%s)", async (path) => {
    await expect(get(path, { ...here, timeoutMs: 150 }, 1e12)).rejects.toThrow(/longer than 150 ms/);
  });

  test.each([
    ["/missing", /status 404/],
    ["/nowhere", /status 302/],
    ["/gzip", /compressed/],
    ["/to-file", /scheme `file`/],
    ["/broken", /aborted|socket|premature/i],
    ["ftp://example.com/a", /scheme `ftp`/],
    ["data:image/png;base64,AA", /scheme `data`/],
    ["/to-credentials", /credentials/],
    ["http://u%FF:p@example.com/", /percent-encoded UTF-8/],
    ["http://u%3A:p@example.com/", /colon/],
    ["http://u%0A:p@example.com/", /control characters/],
    ["http://ada:secret@[/", /^`http:\/\/\*\*\*@\[\/` is not a URL$/],
    ["nonsense", /not a URL/],
    ["http://127.0.0.1:1/", /ECONNREFUSED/],
  ])("%s is rejected", async (path, message) => {
    await expect(get(path)).rejects.toThrow(message);
  });
});

test("uploads by url get 5454 with the reason, 5413 for too many bytes, or the image", async () => {
  const file = await png();
  answers = { ...answers, "/cat.png": (response) => response.end(file) };
  const { post, upload } = imageSetting({
    fetchImage: guardedFetchImage(here),
    limits: { imageUploadBytes: 5_000 },
  });
  const url = (path: string) => ({ url: `http://127.0.0.1:${port}${path}` });
  expect((await upload(url("/cat.png"))).filename).toBe("cat.png");
  const rejected = { status: 400, code: 5454, pointer: "/url" };
  await expectFailure(await post("/v1", url("/missing")), { ...rejected, message: /status 404/ });
  await expectFailure(await post("/v1", { url: "http://127.0.0.1:1/" }), {
    ...rejected,
    message: /ECONNREFUSED/,
  });
  await expectFailure(await post("/v1", url("/endless")), { status: 413, code: 5413 });
});

describe("the source of a transformation", () => {
  const headers = {
    accept: "image/*",
    via: "image-resizing",
    authorization: "Bearer s",
    cookie: "a=b",
    "x-amz-date": "1",
  };
  const get = (path: string, options: GuardedFetchOptions = {}) =>
    guardedFetchImage({ allow: () => true, ...options })(`http://127.0.0.1:${port}${path}`, {
      maxBytes: 1_000,
      headers,
    });

  test("is a response with its status and with the headers of its origin that count", async () => {
    const response = await get("/tagged");
    expect([response.status, await response.text()]).toEqual([200, "bytes"]);
    expect(Object.fromEntries(response.headers)).toEqual({ etag: '"t"', "cache-control": "max-age=9" });
    expect((await get("/missing")).status).toBe(404);
    expect((await get("/none")).status).toBe(204);
  });

  test("gets the headers of the request after a redirect of its own origin, and no secret one at another origin", async () => {
    asked.length = 0;
    await get("/to-tagged");
    for (const { headers: sent } of asked) expect(sent).toMatchObject(headers);
    asked.length = 0;
    await get("/away");
    const [first, second] = asked.map(({ headers: sent }) => sent);
    expect(first).toMatchObject(headers);
    const { via, accept } = headers;
    expect(second).toMatchObject({ via, accept });
    for (const name of ["authorization", "cookie", "x-amz-date"]) expect(second).not.toHaveProperty(name);
  });

  test.each([
    ["/loop", 9421],
    ["/to-file", 9420],
    ["/to-credentials", 9420],
  ])("that redirects like %s is rejected with %i", async (path, code) => {
    await expect(get(path)).rejects.toMatchObject({ code });
  });

  test("is not fetched from private addresses, directly or by a redirect", async () => {
    await expect(get("/tagged", { allow: isPublicAddress })).rejects.toThrow("is not in the public internet");
    const allow = (address: string) => address === "127.0.0.1";
    for (const path of ["/to-private", "/to-loopback"])
      await expect(get(path, { allow })).rejects.toThrow("is not in the public internet");
  });

  test.each([
    "169.254.169.254",
    "[fd00:ec2::254]",
    "100.100.100.200",
    "[fe80::1]",
    "[::ffff:169.254.169.254]",
  ])("with private addresses allowed is not fetched from %s, directly or by a redirect", async (host) => {
    const allow = isPublicOrPrivateAddress;
    answers = { ...answers, "/to-metadata": redirect(`http://${host}/latest`) };
    const message = "is not in the public internet or a private network";
    await expect(get("/to-metadata", { allow })).rejects.toThrow(message);
    const direct = guardedFetchImage({ allow });
    await expect(direct(`http://${host}/latest`, { maxBytes: 9 })).rejects.toThrow(message);
    const named = { allow, lookup: resolver([host.replace(/[[\]]/g, "")]).lookup };
    await expect(guardedFetchImage(named)("http://metadata.test/", { maxBytes: 9 })).rejects.toThrow(message);
  });

  test("with private addresses allowed is fetched from loopback and private networks", async () => {
    expect((await get("/tagged", { allow: isPublicOrPrivateAddress })).status).toBe(200);
    const allowed = [
      "10.0.0.1",
      "172.31.255.1",
      "192.168.1.1",
      "127.9.9.9",
      "::1",
      "fd12::1",
      "93.184.215.14",
    ];
    expect(allowed.filter(isPublicOrPrivateAddress)).toEqual(allowed);
    const never = ["0.0.0.0", "169.254.0.1", "100.64.0.1", "224.0.0.1", "fe80::1%eth0", "::", "name"];
    expect(never.filter(isPublicOrPrivateAddress)).toEqual([]);
  });

  test("that takes too long is rejected with 9504", async () => {
    await expect(get("/silent", { timeoutMs: 30 })).rejects.toMatchObject({ code: 9504 });
  });

  test("that is compressed is rejected", async () => {
    await expect(get("/gzip")).rejects.toThrow("compressed");
  });
});
