/** The options of `edgeproof serve` about its socket. */
import { once } from "node:events";
import { mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";
import { jsonOf } from "../support/client.ts";
import { exchange, requestHead, statusOf } from "../support/socket.ts";

let stop = new AbortController();
let running: Promise<unknown> = Promise.resolve();
afterEach(async () => {
  stop.abort();
  await running;
  stop = new AbortController();
  page = undefined;
});

/** A folder with the page of the workbench, for tests that serve it. */
let page: string | undefined;

interface Served {
  readonly url: string;
  /** The printed lines, when there are so many. */
  lines(count: number): Promise<readonly string[]>;
}

/** Runs `serve` until the end of the test. */
async function serve(...words: readonly string[]): Promise<Served> {
  let out = "";
  let onMore = () => {};
  const onOut = (text: string) => {
    out += text;
    onMore();
  };
  const lines = async (count: number) => {
    while (out.split("\n").length <= count)
      await new Promise<void>((resolve) => {
        onMore = resolve;
      });
    return out.split("\n");
  };
  const options = {
    signal: stop.signal,
    onOut,
    ...(page !== undefined && { env: { EDGEPROOF_PAGE: page } }),
  };
  const result = edgeproof(["serve", "--port", "0", ...words], undefined, options);
  running = result;
  result.catch(() => {});
  const failed = result.then(({ err }) => Promise.reject(new Error(err)));
  failed.catch(() => {});
  await Promise.race([lines(1), failed]);
  return { url: /http:\S+(?=\/client)/.exec(out)![0], lines };
}

async function statusFor(url: string, host: string): Promise<number> {
  const head = requestHead("GET /openapi.json HTTP/1.1", `Host: ${host}`, "Connection: close");
  return statusOf(await exchange(url, head));
}

describe("--zone-host", () => {
  test("the host of the server is that of the zone, whose images are transformed", async () => {
    const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
    const source = await sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } })
      .png()
      .toBuffer();
    const origin = createServer((_, response) => {
      response.setHeader("content-type", "image/png");
      response.end(source);
    }).listen(0, "127.0.0.1");
    await once(origin, "listening");
    const address = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/a.png`;
    const world = join(folder, "world.json");
    const settings = { transformations: "open" };
    await writeFile(world, JSON.stringify({ zones: [{ id: "z1", name: "example.com", settings }] }));
    const words = ["--world", world, "--fetch-private"];
    const { url } = await serve(...words, "--zone-host", "127.0.0.1=example.com");
    const answer = await fetch(`${new URL(url).origin}/cdn-cgi/image/width=20/${address}`);
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({ width: 20, height: 15 });
    stop.abort();
    await running;
    stop = new AbortController();
    const { url: other } = await serve(...words);
    const unmapped = await fetch(`${new URL(other).origin}/cdn-cgi/image/width=20/${address}`);
    expect(unmapped.status).toBe(404);
    origin.close();
  });

  test.each(["127.0.0.1", "=example.com", "127.0.0.1="])("%s is rejected", async (word) => {
    const { code, err } = await edgeproof(["serve", "--port", "0", "--zone-host", word]);
    expect([code, err]).toEqual([2, expect.stringContaining("--zone-host")]);
  });
});

describe("--log-verdicts", () => {
  test("creates a file for its owner only, and keeps what an existing one has", async () => {
    const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
    const file = join(folder, "run.ndjson");
    await serve("--log-verdicts", file);
    expect([(await stat(file)).mode & 0o777, await readFile(file, "utf8")]).toEqual([0o600, ""]);
    stop.abort();
    await running;
    stop = new AbortController();
    await writeFile(file, "{}\n");
    await serve("--log-verdicts", file);
    expect(await readFile(file, "utf8")).toBe("{}\n");
  });

  test("has a line for each verdict of the workbench, without the token that was sent", async () => {
    const folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
    page = folder;
    await writeFile(join(folder, "index.html"), "<!doctype html><title>t</title>");
    const file = join(folder, "run.ndjson");
    const { lines } = await serve("--json", "--workbench", "--workbench-port", "0", "--log-verdicts", file);
    const { url, workbench } = JSON.parse((await lines(1))[0]!) as { url: string; workbench: string };
    const address = new URL(workbench);
    const authorization = "Bearer api-token-of-a-client";
    await fetch(`${url}/zones/z1/token_validation/config`, { headers: { authorization } });
    const headers = { "x-edgeproof-session": address.hash.slice(1), "content-type": "application/json" };
    const request = {
      method: "GET",
      url: "https://a.example/?sig=signature-42",
      headers: [["Cookie", "s=cookie-43"]],
    };
    const body = JSON.stringify({ zone: "z1", request });
    const { status } = await fetch(`${address.origin}/data/evaluate`, { method: "POST", headers, body });
    const written = await readFile(file, "utf8");
    expect([status, written.split("\n").length]).toEqual([200, 2]);
    expect(JSON.parse(written)).toMatchObject({
      zone: "z1",
      url: "https://a.example/?sig=***",
      headers: ["cookie"],
    });
    expect(written).not.toMatch(/api-token-of-a-client|signature-42|cookie-43/);
  });

  test.each([
    [join("nowhere", "run.ndjson"), "the folder does not exist"],
    [tmpdir(), "it is not a regular file"],
  ])("%s is rejected before the server starts", async (file, reason) => {
    const { code, err } = await edgeproof(["serve", "--port", "0", "--log-verdicts", file]);
    expect([code, err]).toEqual([2, expect.stringContaining(`cannot write ${file}: ${reason}`)]);
  });
});

describe("--allow-host", () => {
  test("adds names to those that are always allowed", async () => {
    const { url } = await serve(
      ...[
        "--allow-host",
        "edgeproof",
        "--allow-host",
        "other.test",
        "--public-url",
        "https://public.test:8443",
      ],
      ...["--delivery-url", "https://images.test", "--host", "localhost"],
    );
    for (const host of [
      "localhost:1",
      "127.0.0.1",
      "edgeproof:8787",
      "OTHER.test",
      "public.test",
      "images.test",
    ])
      expect([host, await statusFor(url, host)]).toEqual([host, host === "images.test" ? 400 : 200]);
    expect(await statusFor(url, "evil.test")).toBe(421);
  });

  test("without it, other names are rejected; `*` allows all", async () => {
    expect(await statusFor((await serve()).url, "edgeproof")).toBe(421);
    stop.abort();
    await running;
    stop = new AbortController();
    expect(await statusFor((await serve("--allow-host", "*")).url, "evil.test")).toBe(200);
  });
});

test("--cors names the origins of pages", async () => {
  const origin = "https://app.test";
  const { url } = await serve("--cors", origin, "--cors", "http://localhost:3000");
  const send = (from: string) => fetch(`${url}/cdn-cgi/imagedelivery/h/i/v`, { headers: { origin: from } });
  expect((await send(origin)).headers.get("access-control-allow-origin")).toBe(origin);
  expect((await send("https://evil.test")).headers.get("access-control-allow-origin")).toBeNull();
});

test("--log prints one line per request, without secrets", async () => {
  const { url, lines } = await serve("--log");
  const headers = { authorization: "Bearer very-secret" };
  const draft = await fetch(`${url}/client/v4/accounts/a1/images/v2/direct_upload`, {
    method: "POST",
    headers,
  });
  const { result } = await jsonOf(draft);
  await (await fetch(result.uploadURL, { method: "POST" })).text();
  const [, first, second] = await lines(3);
  expect(first).toMatch(
    /^POST \/client\/v4\/accounts\/a1\/images\/v2\/direct_upload 200 [\d.]+ms [0-9a-f]{16}$/,
  );
  expect(second).toMatch(/^POST \/cdn-cgi\/imageupload\/\*\*\* 400 [\d.]+ms [0-9a-f]{16}$/);
});

test.each([
  [["--public-url", "https://a.test/?x=1"], /--public-url.*without query and fragment/],
  [["--public-url", "https://a.test/#x"], /--public-url.*without query and fragment/],
  [["--public-url", "a.test"], /--public-url.*origin/],
  [["--delivery-url", "https://a.test/path"], /--delivery-url.*no path/],
  [["--allow-host", "http://a.test"], /--allow-host.*without scheme and port/],
  [["--allow-host", "a.test:80"], /--allow-host.*without scheme and port/],
  [["--cors", "https://a.test/"], /--cors.*origin/],
  [["--cors", "*", "--cors", "https://a.test"], /--cors must be .* found `\*`/],
  [["--log=xml"], /--log.*`text` or `json`/],
  [["--log", "xml"], /unexpected argument `xml`/],
  [["--grace", "-1"], /--grace/],
  [["--grace", "1h"], /--grace .* found `1h`/],
])("serve %j is rejected", async (words, message) => {
  const { code, err } = await edgeproof(["serve", "--port", "0", ...words]);
  expect([code, err]).toEqual([2, expect.stringMatching(message)]);
});
