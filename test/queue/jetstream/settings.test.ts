/** The JetStream queue: options, limits of its streams, encrypted connections, and messages that others publish. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, headers } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DependencyUnavailableError } from "../../../src/errors.ts";
import { openJetStreamQueue } from "../../../src/queue/jetstream/jetstream-queue.ts";
import { layoutOf } from "../../../src/queue/jetstream/layout.ts";
import { headerNames, idOf } from "../../../src/queue/jetstream/messages.ts";
import { settingsOf } from "../../../src/queue/jetstream/options.ts";
import { readServers } from "../../../src/queue/jetstream/servers.ts";
import { temporaryFolder } from "../../store/open.ts";
import { certificateAuthority } from "../../support/certificates.ts";
import { hasNatsServer, startBroker, type TestBroker } from "../../support/nats-server.ts";
import { runs } from "../../support/runs.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ["a", { hosts: ["a:4222"], isEncrypted: false }],
  ["nats://a:1, tls://b", { hosts: ["a:1", "b:4222"], isEncrypted: true }],
  [["[::1]:5", "nats://127.0.0.1/"], { hosts: ["[::1]:5", "127.0.0.1:4222"], isEncrypted: false }],
  ["nats://u:p%40ss@a,b", { hosts: ["a:4222", "b:4222"], isEncrypted: false, user: "u", password: "p@ss" }],
  ["nats://t@a", { hosts: ["a:4222"], isEncrypted: false, token: "t" }],
])("the servers %j are %j", (servers, expected) => {
  expect(readServers({ servers })).toEqual(expected);
});

test("credentials of the options are those of all servers", () => {
  expect(readServers({ servers: "nats://u:p@a", token: "t" })).toEqual({
    hosts: ["a:4222"],
    isEncrypted: false,
    token: "t",
  });
});

test.each([
  ["", /servers\[0\] must be such as nats:\/\/host:4222; the host is missing/],
  [[], /servers must have at least one address/],
  ["a,http://b", /servers\[1\] .*; found the protocol `http:`/],
  ["nats://u:secret@", /servers\[0\] .*; it is not an address/],
  ["nats://u:secret@a/b", /servers\[0\] .*; nothing may follow the port/],
  ["nats://u:secret@a?x=1", /servers\[0\] .*; nothing may follow the port/],
  ["nats://u:secret@a:99999", /servers\[0\] .*; it is not an address/],
  ["nats://u:secret@a,nats://v:other@b", /the credentials of all servers must be the same/],
])("the servers %j are a RangeError without their passwords", (servers, message) => {
  const read = () => readServers({ servers });
  expect(read).toThrow(RangeError);
  expect(read).toThrow(message);
  expect(read).not.toThrow(/secret/);
});

test.each([
  [{ name: "a.b" }, /name must be 1 to 100 letters, digits, `-` and `_`; found `a\.b`/],
  [{ name: "" }, /name must be/],
  [{ ackWaitMs: 0 }, /ackWaitMs must be a number of milliseconds from 1/],
  [{ pullMs: Number.NaN }, /pullMs must be/],
  [{ maxAckPending: 10_001 }, /maxAckPending must be an integer from 1 to 10000; found `10001`/],
  [{ maxQueueBytes: 1_000 }, /maxQueueBytes must be an integer from 1048576/],
  [{ replicas: 6 }, /replicas must be an integer from 1 to 5/],
  [{ maxBytes: 0.5 }, /maxBytes must be/],
])("the options %j are a RangeError", (option, message) => {
  expect(() => settingsOf({ servers: "a", ...option })).toThrow(message);
});

describe.skipIf(!hasNatsServer)("with a broker", () => {
  let broker: TestBroker;
  let queues = 0;
  beforeAll(async () => {
    broker = await startBroker(["max_payload: 131072"]);
  });
  afterAll(() => broker?.remove());
  const nextPlace = () => ({ servers: broker.url, name: `s${queues++}` });

  test("processes that start together create the streams once", { repeats: runs(60) }, async () => {
    const place = nextPlace();
    const opened = await Promise.all(Array.from({ length: 6 }, () => openJetStreamQueue(place)));
    expect(await opened[0]?.put(bytes("a"))).toBe(true);
    expect((await opened[5]?.status())?.waiting).toBe(1);
    for (const queue of opened) await queue.close();
  });

  test("a server without enough storage is rejected with what a queue reserves, and how to reserve less", async () => {
    const small = await startBroker([], 10_000_000);
    const servers = small.url;
    await expect(openJetStreamQueue({ servers, name: "a" })).rejects.toThrow(
      /too little storage for the stream edgeproof-work-a, which reserves 1073741824 bytes; choose a smaller maxQueueBytes/,
    );
    await small.remove();
  });

  test("queues of two names are separate, also when one name begins with the other", async () => {
    const { servers, name } = nextPlace();
    const names = [name, `dead-${name}`, `${name}-dead`];
    const opened = await Promise.all(names.map((name) => openJetStreamQueue({ servers, name })));
    const put = opened.map((queue, i) => queue.put(bytes(`${i}`), { key: "k" }));
    expect(await Promise.all(put)).toEqual([true, true, true]);
    for (const [i, queue] of opened.entries()) {
      expect(new TextDecoder().decode((await queue.take())?.body)).toBe(`${i}`);
      expect(await queue.take()).toBeUndefined();
      await queue.close();
    }
  });

  test("a message of the maximum size can be set aside with the longest key and reason, and delivered again", async () => {
    const queue = await openJetStreamQueue(nextPlace());
    const body = new Uint8Array(131_072 - 16_384).fill(7);
    const key = "\u1234".repeat(400);
    await expect(queue.put(new Uint8Array(body.length + 1))).rejects.toThrow(
      new RangeError(
        "a message of this queue must be at most 114688 bytes; found 114689. Put a reference to the content",
      ),
    );
    expect(await queue.put(body, { key })).toBe(true);
    const taken = await queue.take();
    expect(await taken?.bury("\u1234".repeat(5_000))).toBe(true);
    const [letter] = await queue.dead();
    expect([letter?.body.length, letter?.key, letter?.reason]).toEqual([
      body.length,
      key,
      "\u1234".repeat(2_000),
    ]);
    expect(await queue.revive(taken?.id ?? "")).toBe(true);
    expect((await queue.take())?.body).toEqual(body);
    await queue.close();
  });

  test("a maximum size above that of the server is a RangeError", async () => {
    await expect(openJetStreamQueue({ ...nextPlace(), maxBytes: 114_689 })).rejects.toThrow(
      new RangeError(
        "maxBytes must be at most 114688, which is 16384 less than max_payload of the server; found 114689",
      ),
    );
    const small = await openJetStreamQueue({ ...nextPlace(), maxBytes: 10 });
    await expect(small.put(new Uint8Array(11))).rejects.toThrow(RangeError);
    await small.close();
  });

  test("a queue that is full rejects messages and keeps those that it has", async () => {
    const queue = await openJetStreamQueue({ ...nextPlace(), maxQueueBytes: 2 ** 20, maxDeadBytes: 2 ** 20 });
    const body = new Uint8Array(100_000);
    let count = 0;
    const fill = async () => {
      for (;;) {
        await queue.put(body);
        count++;
      }
    };
    await expect(fill()).rejects.toThrow(DependencyUnavailableError);
    await expect(fill()).rejects.toThrow(
      /the queue is full: the stream edgeproof-work-s\d+ did not add a message/,
    );
    expect(count).toBe(10);
    // The dead letters are full as well, and the last message stays in the queue.
    for (let i = 0; i < 10; i++) expect(await (await queue.take())?.bury("bad")).toBe(true);
    expect(await queue.put(body)).toBe(true);
    const last = await queue.take({ waitMs: 10_000 });
    await expect(last?.bury("bad")).rejects.toThrow(/the stream edgeproof-dead-s\d+ did not add/);
    expect(await last?.retry({ counts: false })).toBe(true);
    expect(await queue.status()).toMatchObject({ waiting: 1, taken: 0, dead: 10 });
    await queue.close();
  });

  test("messages and entries that others publish are delivered or ignored", async () => {
    const place = nextPlace();
    const queue = await openJetStreamQueue({ ...place, ackWaitMs: 100 });
    const nc = await connect({ servers: broker.url });
    const js = jetstream(nc);
    const layout = layoutOf(place.name);
    const odd = headers();
    odd.set(headerNames.key, "{not JSON");
    await js.publish(layout.workSubject("x"), "plain");
    await js.publish(layout.workSubject("y"), "odd", { headers: odd });
    await js.publish(layout.deadSubject(idOf("z")), "dead", { headers: odd });
    for (const id of ["x", "y"]) await js.publish(layout.triesSubject(id), '{"seq":1,"tries":-5}');
    const taken = [await queue.take(), await queue.take()];
    expect(taken.map((each) => [each?.id, each?.key, each?.tries])).toEqual([
      ["x", undefined, 0],
      ["y", undefined, 0],
    ]);
    const again = await queue.take({ waitMs: 10_000 });
    expect([again?.id, again?.tries, await again?.done()]).toEqual(["x", 1, true]);
    expect(await queue.dead()).toMatchObject([{ id: idOf("z"), key: undefined, reason: "" }]);
    expect(await queue.put(bytes("z"), { key: "z" })).toBe(false);
    expect(await queue.drop(idOf("z"))).toBe(true);
    await nc.close();
    await queue.close();
  });

  test.each([404, 408, 503, 999])("a message whose header has the status %i is delivered", async (status) => {
    const place = nextPlace();
    const queue = await openJetStreamQueue(place);
    const nc = await connect({ servers: broker.url });
    const ids = ["x", `${"y".repeat(99)}ü`];
    for (const id of ids) {
      const options = { headers: headers(status, "No Messages") };
      await jetstream(nc).publish(layoutOf(place.name).workSubject(id), "a", options);
    }
    const taken = [await queue.take(), await queue.take()];
    expect(taken.map((each) => each?.id)).toEqual(ids);
    for (const each of taken) await each?.bury("it is odd");
    expect([await queue.drop("x"), await queue.revive(ids[1] ?? "")]).toEqual([true, true]);
    expect((await queue.take())?.id).toBe(ids[1]);
    for (const id of ["*", ">", "a.b", "a b", "", "\r\n"])
      expect([id, await queue.drop(id), await queue.revive(id)]).toEqual([id, false, false]);
    await nc.close();
    await queue.close();
  });

  test("a message whose subject ends with a wildcard or a long name changes no other one, and can be dropped", async () => {
    const place = nextPlace();
    const queue = await openJetStreamQueue(place);
    const nc = await connect({ servers: broker.url });
    const layout = layoutOf(place.name);
    await queue.put(bytes("a"), { key: "a" });
    expect(await (await queue.take())?.retry({ delayMs: 60_000 })).toBe(true);
    for (const name of ["*", ">", "x".repeat(900)]) {
      await nc.request(layout.workSubject(name), name);
      expect(await (await queue.take())?.retry()).toBe(true);
      const again = await queue.take({ waitMs: 5_000 });
      expect([again?.tries, await again?.bury("it is odd")]).toEqual([1, true]);
      const [letter, ...others] = await queue.dead();
      expect([bytes(name), others]).toEqual([new Uint8Array(letter?.body ?? []), []]);
      expect(await queue.drop(letter?.id ?? "")).toBe(true);
    }
    const jsm = await jetstreamManager(nc);
    const state = await jsm.streams.info(layout.state);
    // The tries and the mark of the first message.
    expect(state.state.messages).toBe(2);
    expect(await queue.status()).toMatchObject({ waiting: 1, taken: 0, dead: 0 });
    await nc.close();
    await queue.close();
  });

  test("a stream that was deleted is an outage", async () => {
    const place = { ...nextPlace(), requestTimeoutMs: 500, pullMs: 500 };
    const queue = await openJetStreamQueue(place);
    const nc = await connect({ servers: broker.url });
    const jsm = await jetstream(nc).jetstreamManager();
    await jsm.streams.delete(layoutOf(place.name).work);
    await nc.close();
    for (const use of [queue.put(bytes("a")), queue.take(), queue.take({ waitMs: 60_000 })])
      await expect(use).rejects.toThrow(DependencyUnavailableError);
    await queue.close();
  });
});

describe.skipIf(!hasNatsServer)("with a broker that requires credentials and encryption", () => {
  test("the files of the options are used, and messages name what is wrong without a password", async () => {
    const folder = await temporaryFolder();
    const authority = certificateAuthority();
    const { cert, key } = authority.issue();
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const caFile = file("ca.pem", authority.cert);
    const [certFile, keyFile] = [file("cert.pem", cert), file("key.pem", key)];
    const secure = await startBroker([
      "authorization { token: sec-ret }",
      `tls { cert_file: "${certFile}", key_file: "${keyFile}" }`,
    ]);
    const servers = `tls://sec-ret@127.0.0.1:${secure.port}`;
    const queue = await openJetStreamQueue({ servers, caFile });
    expect(await queue.put(bytes("a"))).toBe(true);
    await queue.close();
    const wrong = [
      [{ servers }, /certificate|issuer/],
      [{ servers: servers.replace("sec-ret", "other"), caFile }, /authorization violation/i],
      [{ servers, credsFile: join(folder, "none") }, /no such file/],
      [{ servers, caFile: join(folder, "none") }, /none/],
    ] as const;
    for (const [options, message] of wrong) {
      const error: Error = await openJetStreamQueue(options).then(
        () => expect.fail(),
        (thrown) => thrown,
      );
      expect(`${error.message}`).toMatch(message);
      expect(`${error.message}`).not.toContain("sec-ret");
    }
    await secure.remove();
  });
});
