/** The examples that mount the simulator on interceptors, beside the installed versions of msw and undici. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEdge } from "edgeproof";
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher, fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mountOnMsw } from "../../examples/msw.ts";
import { mountOnMockAgent } from "../../examples/undici.ts";

const origin = "https://api.example.com";
const configs = `${origin}/client/v4/zones/z1/token_validation/config`;
const headers = { authorization: "Bearer any" };

/** Another origin, which answers everybody: a request that is not rejected reaches it. */
let reached = 0;
const other = createServer((_, response) => {
  reached++;
  response.end("reached");
});
const otherOrigin = () => `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;

beforeAll(() => new Promise<void>((done) => other.listen(0, "127.0.0.1", done)));
afterAll(() => new Promise((done) => other.close(done)));

test("msw: requests to the origin reach the simulator, others are rejected", async () => {
  const server = mountOnMsw(createEdge(), origin);
  try {
    const response = await fetch(configs, { headers });
    expect(await response.json()).toMatchObject({ success: true, result: [] });
    await expect(fetch(otherOrigin())).rejects.toThrow();
    expect(reached).toBe(0);
  } finally {
    server.close();
  }
});

test("undici: requests to the origin reach the simulator, others are rejected", async () => {
  const before = getGlobalDispatcher();
  const agent = new MockAgent();
  agent.disableNetConnect();
  const server = await mountOnMockAgent(createEdge(), origin, agent);
  try {
    const response = await undiciFetch(configs, { headers });
    expect(await response.json()).toMatchObject({ success: true, result: [] });
    await expect(undiciFetch(otherOrigin())).rejects.toThrow();
    expect(reached).toBe(0);
  } finally {
    setGlobalDispatcher(before);
    await agent.close();
    await server.close();
  }
});
