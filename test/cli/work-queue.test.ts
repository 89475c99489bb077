/** Addresses of work queues: the option, its environment variable, their parameters, and passwords in messages. */
import { describe, expect, test } from "vitest";
import { UsageError } from "../../src/cli/command.ts";
import { withoutPassword } from "../../src/cli/input/data-store.ts";
import { openQueue, requiredQueue } from "../../src/cli/input/work-queue.ts";
import { postgresUrl, temporarySchemas } from "../store/open.ts";
import { hasNatsServer, startBroker } from "../support/nats-server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const input = (queue?: string) => ({ queue });

test("the address is that of --queue, otherwise that of EDGEPROOF_QUEUE", () => {
  const env = { EDGEPROOF_QUEUE: "postgres://b/q" };
  expect(requiredQueue(input("postgres://a/q"), { env })).toBe("postgres://a/q");
  expect(requiredQueue(input(), { env })).toBe("postgres://b/q");
  for (const missing of [{}, { env: { EDGEPROOF_QUEUE: "" } }])
    expect(() => requiredQueue(input(), missing)).toThrow(
      /--queue is missing, and EDGEPROOF_QUEUE is not set/,
    );
  expect(() => requiredQueue(input(""), { env })).toThrow("--queue is empty");
});

test.each([
  ["postgres://u:p@h/d", "postgres://u:***@h/d"],
  ["postgres://u:p@ss/w:rd@h/d?schema=s", "postgres://u:***@h/d?schema=s"],
  ["postgres://:p@h/d", "postgres://:***@h/d"],
  ["postgres://u@h:5432/d", "postgres://u@h:5432/d"],
  ["postgres://h/d?user=u&password=p&sslmode=require", "postgres://h/d?user=u&password=***&sslmode=require"],
  ["nats://token@h:4222", "nats://***@h:4222"],
  ["nats://u:p@a:1,tls://v:q,w@b:2,c:3", "nats://u:***@a:1,tls://v:***@b:2,c:3"],
  ["./edge.db", "./edge.db"],
])("%s is printed as %s", (address, masked) => {
  expect(withoutPassword(address)).toBe(masked);
});

test.each([
  [
    "redis://u:secret@h/0",
    /--queue must be NATS servers at nats:.* or a database at postgres:.*; found `redis:\/\/u:\*\*\*@h\/0`/,
  ],
  [
    "postgres://u:secret@127.0.0.1:1/d?name=a",
    /cannot open the queue postgres:\/\/u:\*\*\*@.*nothing listens at `127\.0\.0\.1:1`/,
  ],
  [
    "nats://u:secret@127.0.0.1:1",
    /cannot open the queue nats:\/\/u:\*\*\*@127\.0\.0\.1:1: nothing listens at .*; start the server/,
  ],
  ["nats://u:secret@h,nats://h:x/y", /servers\[1\] must be such as nats:\/\/host:4222; it is not an address/],
  ["nats://secret@h/path", /cannot open the queue nats:\/\/\*\*\*@h\/path: .* nothing may follow the port/],
  ["tls://h?name=a&pass=secret", /the parameters of an address are name,creds,ca,cert,key; found `pass`/],
  ["tls://h?name=a b", /name must be 1 to 100 letters/],
  ["nats://h?creds=/none.creds", /no such file.*none\.creds/],
  ["postgres://u:sec/ret@[", /cannot open the queue postgres:\/\/u:\*\*\*@\[/],
])("an address that cannot be opened is an error without its password: %s", async (address, message) => {
  const error: Error = await openQueue(address).then(
    () => expect.fail(),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toMatch(message);
  expect(error.message).not.toMatch(/ret@|=secret/);
});

describe.skipIf(postgresUrl === undefined)("in PostgreSQL", () => {
  const nextSchema = temporarySchemas();

  test("the parameters name the queue and its schema, and the acknowledgement time is a setting", async () => {
    const address = `${postgresUrl}?schema=${nextSchema()}`;
    const [a, b] = await Promise.all([
      openQueue(`${address}&name=a`, { ackWaitMs: 50 }),
      openQueue(`${address}&name=b`),
    ]);
    await a.put(bytes("x"));
    expect(await b.take()).toBeUndefined();
    expect((await a.take())?.tries).toBe(0);
    expect((await a.take({ waitMs: 10_000 }))?.tries).toBe(1);
    await expect(openQueue(`${address}&name=a`, { ackWaitMs: 0 })).rejects.toThrow(/ackWaitMs must be/);
    await Promise.all([a.close(), b.close()]);
  });
});

describe.skipIf(!hasNatsServer)("in NATS", () => {
  test("the parameters name the queue, which is created unless that is excluded", async () => {
    const broker = await startBroker(["authorization { user: edge, password: secret }"]);
    const address = broker.url.replace("//", "//edge:secret@");
    await expect(openQueue(`${address}?name=a`, { create: false })).rejects.toThrow(
      /edge:\*\*\*@.*the stream edgeproof-work-a does not exist; set the queue up first/,
    );
    const [a, b] = await Promise.all([
      openQueue(`${address}?name=a`, { ackWaitMs: 50 }),
      openQueue(`${address}?name=b`),
    ]);
    await a.put(bytes("x"));
    expect(await b.take()).toBeUndefined();
    expect((await a.take())?.tries).toBe(0);
    expect((await a.take({ waitMs: 10_000 }))?.tries).toBe(1);
    await expect(openQueue(`${address}?name=a`, { ackWaitMs: 60 })).rejects.toThrow(
      /ack_wait of the consumer workers of the stream edgeproof-work-a is 0.05 s, expected 0.06 s/,
    );
    await Promise.all([a.close(), b.close()]);
    await expect(openQueue(address.replace("secret", "other"))).rejects.toThrow(/authorization violation/i);
    await broker.remove();
  });
});
