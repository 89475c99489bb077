/** The examples that mount the simulator on interceptors, beside the installed versions of msw and undici. */
import { createEdge } from "edgeproof";
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher, fetch as undiciFetch } from "undici";
import { expect, test } from "vitest";
import { mountOnMsw } from "../../examples/msw.ts";
import { mountOnMockAgent } from "../../examples/undici.ts";

const origin = "https://api.example.com";
const configs = `${origin}/client/v4/zones/z1/token_validation/config`;
const headers = { authorization: "Bearer any" };

test("msw: requests to the origin reach the simulator, others are rejected", async () => {
  const server = mountOnMsw(createEdge(), origin);
  try {
    const response = await fetch(configs, { headers });
    expect(await response.json()).toMatchObject({ success: true, result: [] });
    await expect(fetch("https://other.example.com/")).rejects.toThrow();
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
    await expect(undiciFetch("https://other.example.com/")).rejects.toThrow();
  } finally {
    setGlobalDispatcher(before);
    await agent.close();
    await server.close();
  }
});
