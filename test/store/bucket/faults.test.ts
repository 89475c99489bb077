/** A bucket that fails, answers slowly, cuts its answers or rejects credentials; and what is left of interrupted puts. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { inspect } from "node:util";
import Libsql from "libsql";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { DependencyUnavailableError } from "../../../src/errors.ts";
import type { CollectionTable } from "../../../src/store/definition.ts";
import type { BlobBucket } from "../../../src/store/sql/blobs/bucket/location.ts";
import { openPostgresStore } from "../../../src/store/sql/postgres.ts";
import { openSqliteStore } from "../../../src/store/sql/sqlite.ts";
import { type ProbeStore, probes } from "../../../src/testing/contract/probe.ts";
import { errorXml, type Fault, startBucketServer } from "../../support/bucket-server.ts";
import { deferred } from "../../support/deferred.ts";
import { hasty, postgresUrl, temporaryFolder, temporarySchemas } from "../open.ts";

const collections = probes as CollectionTable;
const folder = await temporaryFolder();
const nextSchema = postgresUrl === undefined ? () => "" : temporarySchemas();
const server = await startBucketServer();
const other = await startBucketServer();
afterAll(server.stop);
afterAll(other.stop);
afterEach(() => {
  server.fault = undefined;
});

const bytes = (...values: number[]) => Uint8Array.from(values);
const opened: ProbeStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

interface Place {
  readonly path: string;
  readonly prefix: string;
}

const newPlace = (): Place => ({ path: join(folder, `${randomUUID()}.db`), prefix: randomUUID() });

async function open({ path, prefix } = newPlace(), options: Partial<BlobBucket> = {}): Promise<ProbeStore> {
  const blobBucket = { ...server.options, prefix, ...options };
  const store = (await openSqliteStore({ path, blobBucket, collections })) as unknown as ProbeStore;
  opened.push(store);
  return store;
}

const objectsOf = ({ prefix }: Place) => [...server.objects.keys()].filter((name) => name.startsWith(prefix));

/** Rows of the list of objects that no row of a blob names. */
function listed({ path }: Place): { started: number }[] {
  const database = new Libsql(path);
  const rows = database.prepare("select started from _objects").all([]) as { started: number }[];
  database.close();
  return rows;
}

function change({ path }: Place, statement: string): void {
  const database = new Libsql(path);
  database.exec(statement);
  database.close();
}

/** Answers the first requests of a method with a fault. */
function firstTimes(times: number, method: string, fault: Fault): () => number {
  let count = 0;
  server.fault = (request, response, socket) => {
    if (request.method !== method) return false;
    return ++count <= times && fault(request, response, socket);
  };
  return () => count;
}

const withStatus =
  (status: number, code?: string): Fault =>
  (_request, response) => {
    response.writeHead(status).end(code && errorXml(code));
    return true;
  };
const cut: Fault = (_request, _response, socket) => {
  socket.destroy();
  return true;
};
const silent: Fault = () => true;
/** Promises more bytes than it sends. */
const truncated: Fault = ({ object }, response, socket) => {
  const whole = server.objects.get(object)!;
  response.writeHead(200, { "content-length": whole.length });
  response.write(whole.subarray(0, 2), () => socket.destroy());
  return true;
};
/** Sends fewer bytes and says so. */
const shortened: Fault = ({ object }, response) => {
  response.writeHead(200).end(server.objects.get(object)!.subarray(0, 2));
  return true;
};
const changed: Fault = (_request, response) => {
  response.writeHead(200).end(Buffer.from([9, 9, 9]));
  return true;
};

async function away(work: Promise<unknown>, message: RegExp): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DependencyUnavailableError);
  expect((error as Error).message).toMatch(message);
  return inspect(error, { depth: 10, showHidden: true });
}

const label = (server_ = server) => `the bucket \`test-bucket\` at \`${server_.options.endpoint}\``;

describe("a failure that passes is hidden", () => {
  test.each<[string, Fault]>([
    ["status 500", withStatus(500, "InternalError")],
    ["status 503", withStatus(503, "SlowDown")],
    ["status 429", withStatus(429)],
    ["a cut connection", cut],
  ])("%s", async (_name, fault) => {
    const store = await open();
    for (const method of ["PUT", "GET", "DELETE"]) {
      const count = firstTimes(2, method, fault);
      await store.blobs.put("k", bytes(1, 2, 3));
      expect([...(await store.blobs.get("k"))!]).toEqual([1, 2, 3]);
      await store.blobs.delete("k");
      expect(count()).toBe(3);
    }
  });

  test.each<[string, Fault]>([
    ["a truncated body", truncated],
    ["a body that is shorter than the blob", shortened],
    ["a body of other bytes", changed],
  ])("%s", async (_name, fault) => {
    const store = await open();
    await store.blobs.put("k", bytes(1, 2, 3));
    const count = firstTimes(1, "GET", fault);
    expect([...(await store.blobs.get("k"))!]).toEqual([1, 2, 3]);
    expect(count()).toBe(2);
  });
});

describe("a failure that remains", () => {
  test.each<[string, Fault, RegExp]>([
    ["status 500", withStatus(500, "InternalError"), /is unavailable: it answered with 500 InternalError$/],
    ["a cut connection", cut, /is unavailable: other side closed$/],
    ["a truncated body", truncated, /is unavailable: (terminated|other side closed)$/],
  ])("%s is reported after three requests", async (_name, fault, message) => {
    const store = await open();
    await store.blobs.put("k", bytes(1, 2, 3));
    const count = firstTimes(99, "GET", fault);
    await away(store.blobs.get("k"), message);
    expect(count()).toBe(3);
  });

  test.each(["GET", "PUT"])(
    "a server that does not answer %s is reported after the timeout, once",
    async (method) => {
      const store = await open(newPlace(), { timeoutMs: 150 });
      await store.blobs.put("k", bytes(1));
      const count = firstTimes(99, method, silent);
      const work = method === "GET" ? store.blobs.get("k") : store.blobs.put("k", bytes(2));
      await away(work, /is unavailable: no answer within 150 ms$/);
      expect(count()).toBe(1);
    },
  );

  test("failures and the time without an answer share one timeout", async () => {
    const store = await open(newPlace(), { timeoutMs: 400 });
    await store.blobs.put("k", bytes(1));
    let count = 0;
    server.fault = async (_request, response) => {
      if (++count > 1) return true;
      response.writeHead(500).end();
      return true;
    };
    await away(store.blobs.get("k"), /is unavailable: no answer within 400 ms$/);
    expect(count).toBe(2);
  });

  test("a body that stops is reported after the timeout", async () => {
    const store = await open(newPlace(), { timeoutMs: 150 });
    await store.blobs.put("k", bytes(1, 2, 3));
    firstTimes(99, "GET", (_request, response) => {
      response.writeHead(200, { "content-length": 3 }).write(Buffer.from([1]));
      return true;
    });
    await away(store.blobs.get("k"), /is unavailable: no answer within 150 ms$/);
  });

  test.each<[string, Fault, string]>([
    ["a shorter body", shortened, "it has 2 bytes; it must have 3"],
    ["other bytes", changed, "the SHA-256 hash of its bytes is"],
  ])("%s is a damaged blob", async (_name, fault, message) => {
    const store = await open();
    await store.blobs.put("k", bytes(1, 2, 3));
    firstTimes(99, "GET", fault);
    const error = await store.blobs.get("k").catch((thrown: unknown) => thrown as Error);
    expect(error).not.toBeInstanceOf(DependencyUnavailableError);
    expect((error as Error).message).toContain(`the blob \`k\` is damaged: ${message}`);
  });

  test("an endless body is not read beyond the length of the blob", async () => {
    const store = await open();
    await store.blobs.put("k", bytes(1, 2, 3));
    let sent = 0;
    let ended: Promise<void> | undefined;
    async function* zeros() {
      for (; sent < 1e9; sent += 65_536) yield Buffer.alloc(65_536);
    }
    firstTimes(99, "GET", async (_request, response) => {
      ended = pipeline(zeros(), response.writeHead(200)).catch(() => {});
      await ended;
      return true;
    });
    await expect(store.blobs.get("k")).rejects.toThrow(
      "the blob `k` is damaged: it has 4 bytes; it must have 3",
    );
    await ended;
    expect(sent).toBeLessThan(1e8);
  });

  describe("a put is believed only when the object is there", () => {
    const page = "<html><body>Log in</body></html>";
    /** A proxy that answers every request for an object itself. */
    const portal: Fault = ({ method }, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": page.length });
      response.end(method === "HEAD" ? undefined : page);
      return true;
    };
    /** Stores, and answers with the headers. */
    const stored =
      (headers: Readonly<Record<string, string>>): Fault =>
      ({ object, method }, response) => {
        if (method === "PUT") server.objects.set(object, Buffer.from([2]));
        response.writeHead(200, headers).end();
        return true;
      };

    test.each<[string, Fault]>([
      ["a page with 200 instead of the bucket", portal],
      [
        "the ETag of other bytes, and no object",
        async ({ method }, response) => {
          if (method === "HEAD") return false;
          response.writeHead(200, { etag: `"${"0".repeat(32)}"` }).end();
          return true;
        },
      ],
      ["a HEAD with another length", stored({ etag: '"opaque"', "content-length": "0" })],
      ["a HEAD without ETag", stored({})],
    ])("%s is an outage, and the old bytes remain", async (_name, fault) => {
      const store = await open();
      await store.blobs.put("k", bytes(1, 2, 3));
      server.fault = (request, response, socket) =>
        request.object !== "" && request.method !== "GET" && fault(request, response, socket);
      await away(store.blobs.put("k", bytes(2)), /does not have the object: is it|answered HEAD with 404$/);
      server.fault = undefined;
      expect([...(await store.blobs.get("k"))!]).toEqual([1, 2, 3]);
    });

    test("the ETag of an encrypted object, which is not a hash, is followed by a HEAD", async () => {
      const place = newPlace();
      const store = await open(place);
      const count = firstTimes(1, "PUT", ({ object }, response) => {
        server.objects.set(object, Buffer.from([2]));
        response.writeHead(200, { etag: '"opaque"' }).end();
        return true;
      });
      const before = server.requests.length;
      await store.blobs.put("k", bytes(2));
      const methods = server.requests.slice(before).map(({ method }) => method);
      expect([count(), methods]).toEqual([1, ["PUT", "HEAD"]]);
      expect([...(await store.blobs.get("k"))!]).toEqual([2]);
    });

    test("the ETag of the bytes needs no further request", async () => {
      const store = await open();
      const before = server.requests.length;
      await store.blobs.put("k", bytes(2));
      expect(server.requests.slice(before).map(({ method }) => method)).toEqual(["PUT"]);
    });
  });

  test("an object that was removed by others is reported with its bucket", async () => {
    const place = newPlace();
    const store = await open(place);
    await store.blobs.put("k", bytes(1));
    server.objects.delete(objectsOf(place)[0]!);
    await expect(store.blobs.get("k")).rejects.toThrow(
      /^the blob `k` is damaged: its object `.{36}` is not in the bucket /,
    );
    await store.blobs.put("k", bytes(2));
    expect([...(await store.blobs.get("k"))!]).toEqual([2]);
  });

  test("an outage is reported, changes nothing, and everything works again after it", async () => {
    const place = newPlace();
    const store = await open(place);
    await store.blobs.put("k", bytes(1));
    await store.blobs.put("gone", bytes(1));
    await server.stop();
    await away(store.blobs.get("k"), /is unavailable: nothing listens at `127.0.0.1:/);
    await away(store.blobs.put("k", bytes(2)), /is unavailable: nothing listens at `127.0.0.1:/);
    await away(store.blobs.put("new", bytes(2)), /is unavailable/);
    await away(open(place), /is unavailable/);
    // The key is gone at once, and its object as soon as possible.
    await store.blobs.delete("gone");
    await store.write((tx) => tx.claimBlobs(["k"]));
    await server.start();
    expect([...(await store.blobs.get("k"))!]).toEqual([1]);
    expect(await store.blobs.get("new")).toBeUndefined();
    expect(await store.blobs.get("gone")).toBeUndefined();
    expect(objectsOf(place)).toHaveLength(2);
    await store.blobs.removeUnclaimed();
    expect(objectsOf(place)).toHaveLength(1);
    await store.blobs.put("k", bytes(2));
    expect([...(await store.blobs.get("k"))!]).toEqual([2]);
    expect(objectsOf(place)).toHaveLength(1);
  });
});

describe("a store is opened only when its bucket can be used, and no message has a secret", () => {
  const wrongSecret = "wrong-secret-value";
  test.each<[string, Partial<BlobBucket>, Fault | undefined, string]>([
    [
      "a wrong secret",
      { secretAccessKey: wrongSecret, sessionToken: "session-token-value" },
      undefined,
      "answered GET with 403 SignatureDoesNotMatch: check the credentials",
    ],
    [
      "an unknown key",
      { accessKeyId: "UNKNOWN" },
      undefined,
      "answered GET with 403 InvalidAccessKeyId: check the credentials",
    ],
    [
      "another region",
      { region: "other" },
      undefined,
      "answered GET with 403 AuthorizationHeaderMalformed: check the region",
    ],
    [
      "credentials without rights",
      {},
      withStatus(403, "AccessDenied"),
      "answered GET with 403 AccessDenied: the credentials need the rights to list the bucket",
    ],
    ["another service", {}, withStatus(200), "does not answer like S3: check the endpoint"],
    [
      "an error that is not XML",
      {},
      (_r, response) => Boolean(response.writeHead(400).end("<Error><Code>a b</Code>")),
      "answered GET with 400",
    ],
  ])("%s", async (_name, options, fault, message) => {
    server.fault = fault;
    const shown = await away(open(newPlace(), options), /^the bucket /);
    expect(shown).toContain(`${label()} ${message}`);
    for (const secret of [wrongSecret, "session-token-value", server.options.secretAccessKey])
      expect(shown).not.toContain(secret);
  });

  test("an unknown bucket", async () => {
    const message =
      /^the bucket `other` at .* answered GET with 404 NoSuchBucket: create the bucket, or check its name$/;
    await away(open(newPlace(), { bucket: "other" }), message);
  });

  test.each([301, 307])("a redirect (%d) to another host is not followed", async (status) => {
    server.fault = (request, response) => {
      response.writeHead(status, { location: `${other.options.endpoint}${request.path}` }).end();
      return true;
    };
    await away(open(), /with 30\d: redirects are not followed: check the endpoint and the region$/);
    expect(other.requests).toEqual([]);
  });

  test("rights that are taken away later are an outage, which ends when they are back", async () => {
    const store = await open();
    await store.blobs.put("k", bytes(1));
    server.fault = withStatus(403, "ExpiredToken");
    await away(store.blobs.get("k"), /403 ExpiredToken: the session token is expired$/);
    await away(store.blobs.put("k", bytes(2)), /403 ExpiredToken/);
    server.fault = undefined;
    expect([...(await store.blobs.get("k"))!]).toEqual([1]);
  });
});

describe("what is interrupted", () => {
  test("a put that fails leaves the old bytes, and its object is removed after the grace time", async () => {
    const place = newPlace();
    const store = await open(place);
    await store.blobs.put("k", bytes(1));
    // The object arrives, its answer does not.
    firstTimes(3, "PUT", async ({ object }, _response, socket) => {
      server.objects.set(object, Buffer.from([2]));
      socket.destroy();
      return true;
    });
    await away(store.blobs.put("k", bytes(2)), /is unavailable/);
    expect([...(await store.blobs.get("k"))!]).toEqual([1]);
    expect(objectsOf(place)).toHaveLength(2);
    await store.blobs.removeUnclaimed(0).catch(() => {});
    await store.blobs.put("k", bytes(1));
    await store.blobs.removeUnclaimed();
    expect(objectsOf(place)).toHaveLength(2);
    change(place, "update _objects set started = started - 172800000");
    await store.blobs.removeUnclaimed();
    expect(objectsOf(place)).toHaveLength(1);
    expect(listed(place)).toEqual([]);
    expect([...(await store.blobs.get("k"))!]).toEqual([1]);
  });

  test("a put whose object another process is about to remove, as too old, is repeated with another one", async () => {
    const place = newPlace();
    const store = await open(place);
    const count = firstTimes(1, "PUT", () => {
      change(place, "update _objects set started = 0");
      return false;
    });
    await store.blobs.put("k", bytes(1));
    expect(count()).toBe(2);
    await store.blobs.removeUnclaimed();
    expect([...(await store.blobs.get("k"))!]).toEqual([1]);
    expect(objectsOf(place)).toHaveLength(1);
  });

  test("an object that was replaced while it could not be removed is removed later", async () => {
    const place = newPlace();
    const store = await open(place);
    await store.blobs.put("k", bytes(1));
    firstTimes(99, "DELETE", withStatus(403, "AccessDenied"));
    await store.blobs.put("k", bytes(2));
    expect(objectsOf(place)).toHaveLength(2);
    server.fault = undefined;
    await store.blobs.removeUnclaimed();
    expect(objectsOf(place)).toHaveLength(1);
    expect([...(await store.blobs.get("k"))!]).toEqual([2]);
  });

  test("a put whose object was removed meanwhile, as too old, is repeated with another one", async () => {
    const place = newPlace();
    const store = await open(place);
    const count = firstTimes(1, "PUT", async () => {
      change(place, "update _objects set started = started - 172800000");
      await store.blobs.removeUnclaimed();
      return false;
    });
    await store.blobs.put("k", bytes(1));
    expect(count()).toBe(2);
    expect([...(await store.blobs.get("k"))!]).toEqual([1]);
  });

  test("a removal that the bucket carries out late removes nothing that was put since", async () => {
    const place = newPlace();
    const store = await open(place, { timeoutMs: 100 });
    await store.blobs.put("k", bytes(1));
    const late: string[] = [];
    firstTimes(99, "DELETE", ({ object }) => {
      late.push(object);
      return true;
    });
    expect(await store.blobs.removeUnclaimed(0).catch((error: Error) => error.name)).toBe(
      "DependencyUnavailableError",
    );
    await store.blobs.put("k", bytes(1));
    await store.write((tx) => tx.claimBlobs(["k"]));
    for (const object of late) server.objects.delete(object);
    expect([...(await store.blobs.get("k"))!]).toEqual([1]);
    server.fault = undefined;
    await store.blobs.removeUnclaimed();
    expect(listed(place)).toEqual([]);
  });

  test("close waits for a put in progress", async () => {
    const place = newPlace();
    const store = await open(place);
    const [arriving, released] = [deferred(), deferred()];
    firstTimes(1, "PUT", async () => {
      arriving.resolve();
      await released.promise;
      return false;
    });
    const putting = store.blobs.put("k", bytes(1));
    await arriving.promise;
    const closing = store.close();
    released.resolve();
    await Promise.all([closing, putting]);
    expect([...(await (await open(place)).blobs.get("k"))!]).toEqual([1]);
  });

  test("a reader whose object is replaced and removed meanwhile reads the new one", async () => {
    const store = await open();
    await store.blobs.put("k", bytes(1));
    firstTimes(1, "GET", async () => {
      await store.blobs.put("k", bytes(2));
      return false;
    });
    expect([...(await store.blobs.get("k"))!]).toEqual([2]);
    firstTimes(1, "GET", async () => {
      await store.blobs.delete("k");
      return false;
    });
    expect(await store.blobs.get("k")).toBeUndefined();
  });
});

describe("the place of the blobs is remembered", () => {
  test("a store whose blobs are in a bucket is not opened without one", async () => {
    const place = newPlace();
    await (await open(place)).close();
    await expect(openSqliteStore({ path: place.path, collections })).rejects.toThrow(
      "the blobs of this store are in a bucket: open it with `blobBucket`",
    );
    await open(place);
  });

  test("a store whose blobs are files is not opened with a bucket, an empty one is", async () => {
    const [full, empty] = [newPlace(), newPlace()];
    for (const { path } of [full, empty]) {
      const store = (await openSqliteStore({ path, collections })) as unknown as ProbeStore;
      if (path === full.path) await store.blobs.put("k", bytes(1));
      await store.close();
    }
    await expect(open(full)).rejects.toThrow("the blobs of this store are files of a folder: export it");
    await (await openSqliteStore({ path: full.path, collections })).close();
    await (await open(empty)).blobs.put("k", bytes(1));
    expect(objectsOf(empty)).toHaveLength(1);
  });

  test.skipIf(postgresUrl === undefined)(
    "rows of PostgreSQL are still read with a bucket, and move with the next put",
    async () => {
      const place = newPlace();
      const options = { connectionString: hasty(postgresUrl!), schema: nextSchema(), collections };
      const first = await openPostgresStore(options);
      await first.blobs.put("k", bytes(1));
      await first.blobs.put("l", bytes(2));
      await first.close();
      const store = await openPostgresStore({
        ...options,
        blobBucket: { ...server.options, prefix: place.prefix },
      });
      try {
        expect((await store.blobs.getMany(["k", "l"])).map((each) => each?.[0])).toEqual([1, 2]);
        await store.blobs.put("k", bytes(3));
        expect((await store.blobs.getMany(["k", "l"])).map((each) => each?.[0])).toEqual([3, 2]);
        expect(objectsOf(place)).toHaveLength(1);
      } finally {
        await store.close();
      }
    },
  );
});
