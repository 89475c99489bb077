/** Uploads over a real socket: too large, aborted, and rejected before they are read. */
import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEdge, type Edge } from "../../../src/edge.ts";
import { type NodeServer, serveOnNode } from "../../../src/http/node-server.ts";
import { jsonOf } from "../../support/client.ts";
import { expectFailure } from "../../support/failure.ts";
import { formOf, png, storedImages } from "../../support/images.ts";

let edge: Edge;
let server: NodeServer;
beforeAll(async () => {
  edge = createEdge({ limits: { imageUploadBytes: 2_000_000 } });
  server = await serveOnNode(edge.fetch, { port: 0 });
});
afterAll(() => server.close());

const headers = { authorization: "Bearer t" };
const path = (account: string) => `/client/v4/accounts/${account}/images/v1`;

test("a file above the limit is answered before the rest of it arrives", async () => {
  for (const size of [2_000_001, 8_000_000]) {
    const body = formOf({ file: new Uint8Array(size) });
    const response = await fetch(`${server.url}${path("large")}`, { method: "POST", headers, body });
    await expectFailure(response, { status: 413, code: 5413 });
  }
  expect(await storedImages(edge, "large")).toMatchObject({ images: [] });
});

test("an aborted upload stores nothing, and the server continues", async () => {
  const file = await png();
  const head = [
    `POST ${path("cut")} HTTP/1.1`,
    "host: edge.test",
    "authorization: Bearer t",
    "content-type: multipart/form-data; boundary=b",
    `content-length: ${file.length + 1_000}`,
    "",
    '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n',
  ].join("\r\n");
  const { hostname, port } = new URL(server.url);
  for (const cut of [0, 10, file.length]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(head);
        // The answer to a later request shows that the server has read these bytes.
        const destroy = () => fetch(`${server.url}/health`).finally(() => socket.destroy());
        socket.write(file.subarray(0, cut), () => void destroy());
      });
      socket.on("close", () => resolve());
    });
  }
  const response = await fetch(`${server.url}${path("cut")}/stats`, { headers });
  expect((await jsonOf(response)).result.count.current).toBe(0);
  expect(await storedImages(edge, "cut")).toMatchObject({ images: [], blobs: [] });
});

test("a batch token is accepted by the Host of a request, and nowhere else", async () => {
  const issued = await fetch(`${server.url}${path("a1")}/batch_token`, { headers });
  const { token } = (await jsonOf(issued)).result;
  const statusAt = (host: string, at: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const sent = { host, authorization: `Bearer ${token}` };
      const asked = request(new URL(at, server.url), { headers: sent }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asked.on("error", reject).end();
    });
  expect(await statusAt("batch.localhost", "/images/v1")).toBe(200);
  expect(await statusAt("BATCH.localhost:1", "/images/v2")).toBe(200);
  expect(await statusAt("localhost", "/images/v1")).toBe(404);
  expect(await statusAt("batch.localhost", path("a1"))).toBe(403);
});
