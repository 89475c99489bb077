/** The command `queue`: numbers, settings and dead letters of queues in PostgreSQL and NATS. */
import { readFileSync } from "node:fs";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openQueue } from "../../src/cli/input/work-queue.ts";
import { postgresUrl, temporarySchemas } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";
import { hasNatsServer, startBroker, type TestBroker } from "../support/nats-server.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function printed(words: readonly string[]): Promise<unknown> {
  const { out, err, code } = await edgeproof([...words, "--json"]);
  expect([code, err.replace(/^warning: .*\n$/, "")], words.join(" ")).toEqual([0, ""]);
  const value: unknown = JSON.parse(out);
  const isValid = new Ajv2020().compile(JSON.parse(readFileSync("schemas/cli/queue.schema.json", "utf8")));
  expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true);
  return value;
}

/** Parts that both kinds of queues share. */
function testQueue(addressOf: () => string): void {
  const command = (...words: string[]) => ["queue", ...words, "--queue", addressOf()];

  test("a queue that does not exist is an error, until `setup` has created it", async () => {
    const missing = await edgeproof(command("status"));
    expect([missing.code, missing.out]).toEqual([2, ""]);
    expect(missing.err).toMatch(/cannot open the queue .*does not exist; set the queue up first/);
    expect(await printed(command("setup"))).toMatchObject({ created: true });
    expect(await printed(command("setup"))).toMatchObject({ created: false });
    expect(await printed(command("status"))).toEqual({ waiting: 0, taken: 0, dead: 0, oldest_seconds: 0 });
  });

  test("dead letters are listed, delivered again and dropped", async () => {
    const queue = await openQueue(addressOf());
    const long = ", which is what it must be".repeat(5);
    for (const key of ["a", "b", "c\u0007"]) {
      await queue.put(bytes("body"), { key });
      await (await queue.take())?.bury(`not JSON: ${key}${key === "a" ? long : ""}`);
    }
    await queue.put(bytes("waits"));
    expect((await edgeproof(command("status"))).out).toMatch(/^waiting .*\n-.*\n1 +0 +3 +0\n$/);
    const letters = (await printed(command("dead", "list"))) as { id: string }[];
    expect(letters).toMatchObject([
      { key: "a", reason: `not JSON: a${long}`, bytes: 4 },
      { key: "b", reason: "not JSON: b", bytes: 4 },
      { key: "c\u0007", reason: "not JSON: c\u0007", bytes: 4 },
    ]);
    const table = await edgeproof(command("dead", "list", "--limit", "2"));
    expect(table.out).toMatch(new RegExp(`^${letters[0]?.id} +4 +a +not JSON: a${long}$`, "m"));
    expect(table.err).toBe("2 messages set aside\n");
    const [a, b] = letters.map(({ id }) => id);
    expect(await printed(command("dead", "retry", a ?? ""))).toEqual({ changed: 1, missing: [] });
    const twice = await edgeproof(command("dead", "drop", a ?? "", b ?? ""));
    expect(twice).toEqual({
      code: 1,
      out: "1 message dropped\n",
      err: `no message with the id \`${a}\` is set aside\n`,
    });
    expect(await printed(command("dead", "drop", "--all"))).toEqual({ changed: 1, missing: [] });
    const taken = [await queue.take(), await queue.take()];
    expect(taken.map((each) => [each?.key, each?.tries])).toEqual([
      [undefined, 0],
      ["a", 0],
    ]);
    await queue.close();
  });

  test.each([
    [[], /`queue` needs a command/],
    [["dead"], /`queue dead` needs a command/],
    [["dead", "purge"], /unknown command `queue dead purge`/],
    [["status", "x"], /unexpected argument `x`/],
    [["status", "--all"], /unknown option `--all`/],
    [["dead", "list", "--limit", "0"], /--limit must be an integer from 1 to 10000; found `0`/],
    [["dead", "retry"], /expected ids, or --all; found none/],
    [["dead", "drop", "1", "--all"], /--all and ids exclude each other/],
    [["dead", "drop", "1", "--limit", "5"], /--limit needs --all/],
    [["setup", "--ack-wait", "0.5"], /--ack-wait must be an integer from 1 to 3600; found `0.5`/],
  ])("queue %j is an error", async (words, message) => {
    const { code, err, out } = await edgeproof(command(...words));
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
  });
}

describe.skipIf(postgresUrl === undefined)("in PostgreSQL", () => {
  const nextSchema = temporarySchemas();
  const address = `${postgresUrl}?schema=${nextSchema()}`;
  testQueue(() => address);

  test("settings of NATS are rejected", async () => {
    const { code, err } = await edgeproof(["queue", "setup", "--queue", address, "--replicas", "3"]);
    expect([code, err]).toEqual([2, expect.stringMatching(/--replicas is a setting of queues in NATS/)]);
  });
});

describe.skipIf(!hasNatsServer)("in NATS", () => {
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await startBroker();
  });
  afterAll(() => broker?.remove());
  testQueueIn(() => broker);
});

function testQueueIn(broker: () => TestBroker): void {
  const address = (name: string) => `${broker().url}?name=${name}`;
  const setup = (name: string, ...words: string[]) =>
    edgeproof(["queue", "setup", "--queue", address(name), ...words]);

  describe("with the actions", () => {
    testQueue(() => address("actions"));
  });

  test("`setup` warns that acknowledged messages may not be on the disk, unless --synced", async () => {
    const warned = await setup("a");
    expect(warned.out).toMatch(/^the queue nats:.*: created\n$/);
    expect(warned.err).toMatch(/^warning: .*only every two minutes: after a power failure/);
    expect(await setup("a", "--synced")).toMatchObject({ code: 0, err: "" });
    const { out } = await setup("a", "--json");
    expect(JSON.parse(out).warnings).toEqual([expect.stringMatching(/sync_interval/)]);
  });

  test("`setup` creates a queue with the settings, and rejects other ones, naming each", async () => {
    const settings = ["--ack-wait", "60", "--max-size", "10"];
    expect((await setup("b", ...settings)).code).toBe(0);
    expect((await setup("b", ...settings)).out).toMatch(/exists, with the settings that are needed/);
    // Settings without an option are the ones of the queue.
    expect((await setup("b")).code).toBe(0);
    const { code, err } = await setup("b", "--ack-wait", "30", "--max-size", "20");
    expect(code).toBe(2);
    expect(err).toMatch(/max_bytes of the stream edgeproof-work-b is 10000000, expected 20000000/);
    expect(err).toMatch(/ack_wait of the consumer workers .* is 60 s, expected 30 s/);
  });

  test("settings that were changed in the server are rejected by every action", async () => {
    await setup("c");
    const nc = await connect({ servers: broker().url });
    const jsm = await jetstreamManager(nc);
    await jsm.streams.update("edgeproof-work-c", { discard_new_per_subject: false, max_msgs_per_subject: 5 });
    await jsm.consumers.update("edgeproof-work-c", "workers", { max_deliver: 4 });
    await nc.close();
    for (const words of [["status"], ["setup"], ["dead", "list"]]) {
      const { code, err } = await edgeproof(["queue", ...words, "--queue", address("c")]);
      expect([code, words]).toEqual([2, words]);
      for (const difference of [
        "max_msgs_per_subject of the stream edgeproof-work-c is 5, expected 1",
        "discard_new_per_subject of the stream edgeproof-work-c is not set, expected true",
        "max_deliver of the consumer workers of the stream edgeproof-work-c is 4, expected -1",
      ])
        expect(err).toContain(difference);
    }
  });
}
