/** `close()` of a server: requests in progress are answered, nothing else delays it. */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Agent, request } from "node:http";
import type { Socket } from "node:net";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createEdge } from "../../../src/edge.ts";
import { type NodeServer, type ServedHandler, serveOnNode } from "../../../src/http/node-server.ts";
import { connectTo, requestHead } from "../../support/socket.ts";

/** Far below the grace period of 5 s, far above what a busy machine needs. */
const atOnceMs = 2_500;

let server: NodeServer | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
});

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

/** Connects, and resolves when the server has read the text. `served` is the server's end. */
async function connectAndArrive(url: string, text: string) {
  let accept: (socket: Socket) => void = () => {};
  const accepted = new Promise<Socket>((resolve) => {
    accept = resolve;
  });
  const onSocket = (message: unknown) => accept((message as { readonly socket: Socket }).socket);
  subscribe(acceptedSockets, onSocket);
  const connection = await connectTo(url, text);
  const served = await accepted;
  unsubscribe(acceptedSockets, onSocket);
  await expect.poll(() => served.bytesRead, { interval: 1 }).toBe(text.length);
  return { ...connection, served };
}

/** Node's channel of connections that servers of this process accept. */
const acceptedSockets = "net.server.socket";

/** Resolves when the server rejects new connections. Each one delays it by some turns of the event loop. */
async function untilStopped({ url }: NodeServer): Promise<void> {
  for (let result: unknown; result !== "ECONNREFUSED"; ) {
    for (let turn = 0; turn < 10; turn++) await new Promise((resume) => setImmediate(resume));
    result = await connectTo(url).catch((error: NodeJS.ErrnoException) => error.code);
  }
}

describe("close() ends at once", () => {
  test.each([
    ["a silent connection (a browser's preconnect)", ""],
    ["half a request line", "GET / HT"],
    ["half a header", "GET / HTTP/1.1\r\nHost: localhost\r\nX-"],
  ])("%s", async (_title, text) => {
    const running = await start();
    const connection = await connectAndArrive(running.url, text);
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
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const running = await start(async () => {
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
        cancel: () => cancel(),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    const connection = await connectTo(running.url, get);
    await connection.waitFor(/data: 1/);
    expect(await closingTime(running)).toBeLessThan(atOnceMs);
    await connection.ended;
    await expect(cancelled).resolves.toBeUndefined();
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
    await untilStopped(running);
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
    const connection = await connectAndArrive(running.url, `${head}abc`);
    const closing = closingTime(running);
    await untilStopped(running);
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
    let reportMany = () => {};
    const manyAnswered = new Promise<void>((resolve) => {
      reportMany = resolve;
    });
    const once = () =>
      new Promise<void>((resolve, reject) => {
        const headers = { authorization: "Bearer t" };
        request(
          `${running.url}/client/v4/zones/z1/token_validation/rules`,
          { agent, headers },
          (response) => {
            if (++answered === 50) reportMany();
            response.resume().on("end", resolve).on("error", reject);
          },
        )
          .on("error", reject)
          .end();
      });
    const clients = Array.from({ length: 8 }, async () => {
      for (;;) await once();
    }).map((client) => client.catch((error: NodeJS.ErrnoException) => error.code));
    await manyAnswered;
    expect(await closingTime(running)).toBeLessThan(atOnceMs);
    for (const code of await Promise.all(clients)) expect(code).toBe("ECONNREFUSED");
    agent.destroy();
  });
});

describe("the grace period", () => {
  test.each([
    [5_000, undefined],
    [200, 200],
  ])("of %s ms ends a request whose body stalls", async (ms, graceMs) => {
    const running = await start(async (request) => new Response(await request.text()), graceMs);
    const head = requestHead("POST / HTTP/1.1", "Host: localhost", "Content-Length: 6");
    const connection = await connectAndArrive(running.url, `${head}abc`);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const closing = running.close();
    await untilStopped(running);
    vi.advanceTimersByTime(ms - 1);
    expect(connection.served.destroyed).toBe(false);
    vi.advanceTimersByTime(1);
    await closing;
    expect(await connection.ended).toBe("");
  });

  test("ends a handler that never answers", async () => {
    const { handler, begun } = held();
    const running = await start(handler);
    await connectTo(running.url, get);
    await begun;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const closing = running.close();
    await untilStopped(running);
    vi.advanceTimersByTime(5_000);
    await expect(closing).resolves.toBeUndefined();
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
