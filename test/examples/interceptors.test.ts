/** The examples that mount the simulator on interceptors. */
import { createEdge } from "edgeproof";
import { getGlobalDispatcher, MockAgent, setGlobalDispatcher, fetch as undiciFetch } from "undici";
import { expect, test } from "vitest";
import { mountOnMsw } from "../../examples/msw.ts";
import { mountOnMockAgent } from "../../examples/undici.ts";
import { configBody, testKeys } from "../support/keys.ts";

const origin = "https://api.example.com";
const configs = `${origin}/client/v4/zones/z1/token_validation/config`;
const headers = { authorization: "Bearer any", "content-type": "application/json" };

test("msw: whatever fetches the origin reaches the simulator, anything else is an error", async () => {
  const edge = createEdge();
  const server = mountOnMsw(edge, origin);
  try {
    const body = JSON.stringify(configBody([(await testKeys()).es256]));
    expect((await fetch(configs, { method: "POST", headers, body })).status).toBe(200);
    expect(await (await fetch(configs, { headers })).json()).toMatchObject({ result: [{ title: "IdP" }] });
    expect((await fetch(`${configs}/x`, { headers })).status).toBe(400);
    await expect(fetch("https://other.example.com/")).rejects.toThrow();
  } finally {
    server.close();
  }
});

test("MockAgent: the origin reaches the simulator, and the agent's own replies stay", async () => {
  const before = getGlobalDispatcher();
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent.get("https://other.example.com").intercept({ path: "/" }).reply(200, "mine");
  const server = await mountOnMockAgent(createEdge(), origin, agent);
  try {
    const body = JSON.stringify(configBody([(await testKeys()).es256]));
    expect((await undiciFetch(configs, { method: "POST", headers, body })).status).toBe(200);
    const list = await undiciFetch(configs, { headers });
    expect(await list.json()).toMatchObject({ result: [{ title: "IdP" }] });
    expect((await undiciFetch(`${configs}/x`, { headers })).status).toBe(400);
    expect(await (await undiciFetch("https://other.example.com/")).text()).toBe("mine");
    await expect(undiciFetch("https://third.example.com/")).rejects.toThrow();
  } finally {
    setGlobalDispatcher(before);
    await agent.close();
    await server.close();
  }
});
