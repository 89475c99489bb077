/** `close()` of a server: requests in progress are answered, nothing else delays it. */
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { type NodeServer, type ServedHandler, serveOnNode } from "../../../src/http/node-server.ts";
import { connectTo, requestHead } from "../../support/socket.ts";

/** Far below the grace period of 5 s, far above what a busy machine needs. */
const atOnceMs = 2_500;

let server: NodeServer | undefined;
afterEach(() => server?.close());

async function start(handler: ServedHandler = async () => new Response("ok"), graceMs?: number) {
  server = await serveOnNode(handler, { port: 0, ...(graceMs !== undefined && { graceMs }) });
  return server;
}

async function closingTime(running: NodeServer): Promise<number> {
  const start = performance.now();
  await running.close();
  return performance.now() - start;
}

/** A handler that answers when the test lets it. */
function held(): { readonly handler: ServedHandler; readonly begun: Promise<void>; release(): void } {
  let release = () => {};
  let begin = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const handler = async () => {
    begin();
    await released;
    return new Response("late");
  };
  return { handler, begun, release: () => release() };
}

const get = requestHead("GET / HTTP/1.1", "Host: localhost");

describe("close() ends at once", () => {
  test.each([
    ["a silent connection (a browser's preconnect)", ""],
    ["half a request line", "GET / HT"],
    ["half a header", "GET / HTTP/1.1\r\nHost: localhost\r\nX-"],
  ])("%s", async (_title, text) => {
    const running = await start();
    const connection = await connectTo(running.url, text);
    await sleep(50);
    expect(await closingTime(running)).toBeLessThan(atOnceMs);
    expect(await connection.ended).toBe("");
  });

  test("a connection that waits between two requests", async () => {
    const running = await start();
    const connection = await connectTo(running.url, get);
    await connection.waitFor(/ok$/);
    expect(await closingTime(running)).toBeLessThan(atOnceMs);
    expect(await connection.ended).toMatch(/ok$/);
  });

  test("an event stream", async () => {
    let cancelled = false;
    const running = await start(async () => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
        cancel: () => {
          cancelled = true;
        },
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    const connection = await connectTo(running.url, get);
    await connection.waitFor(/data: 1/);
    expect(await closingTime(running)).toBeLessThan(atOnceMs);
    await connection.ended;
    await sleep(20);
    expect(cancelled).toBe(true);
  });

  test("an event stream that begins while the server closes", async () => {
    const { handler, begun, release } = held();
    const running = await start(async (request) => {
      await handler(request);
      return new Response(new ReadableStream(), { headers: { "content-type": "text/event-stream" } });
    });
    await connectTo(running.url, get);
    await begun;
    const closing = closingTime(running);
    release();
    expect(await closing).toBeLessThan(atOnceMs);
  });
});

describe("close() answers the requests in progress", () => {
  test("with `Connection: close`, and rejects new connections meanwhile", async () => {
    const { handler, begun, release } = held();
    const running = await start(handler);
    const connection = await connectTo(running.url, get);
    await begun;
    const closing = closingTime(running);
    const tryToConnect = () =>
      connectTo(running.url).then(
        () => "connected",
        (error: NodeJS.ErrnoException) => error.code,
      );
    await expect.poll(tryToConnect, { interval: 1 }).toBe("ECONNREFUSED");
    release();
    const response = await connection.ended;
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expect(response).toMatch(/^connection: close\r$/im);
    expect(response).toMatch(/late$/);
    expect(await closing).toBeLessThan(atOnceMs);
  });

  test("whose body still arrives", async () => {
    const running = await start(async (request) => new Response(await request.text()));
    const head = requestHead("POST / HTTP/1.1", "Host: localhost", "Content-Length: 6");
    const connection = await connectTo(running.url, `${head}abc`);
    await sleep(50);
    const closing = closingTime(running);
    await sleep(50);
    connection.socket.write("def");
    expect(await connection.ended).toMatch(/abcdef$/);
    expect(await closing).toBeLessThan(atOnceMs);
  });

  test("whose response has begun, then ends the connection", async () => {
    let finish = () => {};
    const running = await start(async () => {
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode("begun"));
          finish = () => {
            controller.enqueue(new TextEncoder().encode("ended"));
            controller.close();
          };
        },
      });
      return new Response(body);
    });
    const connection = await connectTo(running.url, get);
    await connection.waitFor(/begun/);
    const closing = closingTime(running);
    finish();
    expect(await connection.ended).toMatch(/begun[\s\S]*ended/);
    expect(await closing).toBeLessThan(atOnceMs);
  });

  test("of busy keep-alive clients, which cannot keep it alive and are not reset when they connect again", async () => {
    const edge = createEdge();
    const running = await start(edge.fetch);
    const agent = new Agent({ keepAlive: true });
    let answered = 0;
    const once = () =>
      new Promise<void>((resolve, reject) => {
        const headers = { authorization: "Bearer t" };
        request(
          `${running.url}/client/v4/zones/z1/token_validation/rules`,
          { agent, headers },
          (response) => {
            answered++;
            response.resume().on("end", resolve).on("error", reject);
          },
        )
          .on("error", reject)
          .end();
      });
    const clients = Array.from({ length: 8 }, async () => {
      for (;;) await once();
    }).map((client) => client.catch((error: NodeJS.ErrnoException) => error.code));
    while (answered < 50) await sleep(5);
    expect(await closingTime(running)).toBeLessThan(atOnceMs);
    for (const code of await Promise.all(clients)) expect(code).toBe("ECONNREFUSED");
    agent.destroy();
  });
});

describe("the grace period", () => {
  test("ends a request whose body stalls", async () => {
    const running = await start(async (request) => new Response(await request.text()), 200);
    const head = requestHead("POST / HTTP/1.1", "Host: localhost", "Content-Length: 6");
    const connection = await connectTo(running.url, `${head}abc`);
    await sleep(50);
    const ms = await closingTime(running);
    expect(ms).toBeGreaterThan(150);
    expect(ms).toBeLessThan(atOnceMs);
    expect(await connection.ended).toBe("");
  });

  test("ends a handler that never answers", async () => {
    const { handler, begun } = held();
    const running = await start(handler, 200);
    await connectTo(running.url, get);
    await begun;
    expect(await closingTime(running)).toBeLessThan(atOnceMs);
  });

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("cannot be %s", (graceMs) => {
    expect(() => serveOnNode(async () => new Response(), { port: 0, graceMs })).toThrow(/graceMs/);
  });
});

test("close() can be called again", async () => {
  const running = await start();
  await Promise.all([running.close(), running.close()]);
  await expect(running.close()).resolves.toBeUndefined();
});
