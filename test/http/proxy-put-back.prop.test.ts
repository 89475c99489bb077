/** Answers of proxy applications are put back. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { type AppBody, proxyArbitraries } from "../../src/testing/arbitraries/proxy.ts";
import { type Client, clientOf, type Json } from "../support/client.ts";
import { runs } from "../support/runs.ts";

const { app } = proxyArbitraries(fc);
const profiles = ["spec", "provider"] as const;
type Plan = "add-on" | "pay-as-you-go";

/** A clock that moves on, so that a change shows. */
function client(plan: Plan, profile: (typeof profiles)[number]): Client {
  let now = Date.UTC(2026, 0, 1);
  const world = {
    accounts: [{ id: "a1", proxy: { plan } }],
    zones: [{ id: "z1", name: "example.com", account_id: "a1" }],
  };
  const edge = createEdge({ profile, world, clock: () => (now += 1_000) });
  return clientOf(edge, `/zones/z1/${profile === "spec" ? "app_service" : "spectrum"}/apps`);
}

const paidAsYouGo = ["created_on", "dns", "id", "modified_on", "origin_direct", "protocol"];

const withoutTime = ({ modified_on, ...rest }: Json) => rest;

async function putBack(send: Client, body: AppBody): Promise<Json> {
  const created = (await send.ok("POST", "", body)).result;
  const read = (await send.ok("GET", `/${created.id}`)).result;
  expect(read).toEqual(created);
  const put = await send.ok("PUT", `/${created.id}`, read);
  expect(withoutTime(put.result)).toEqual(withoutTime(read));
  expect(put.result.modified_on > read.modified_on).toBe(true);
  expect(put.messages.filter(({ code }: Json) => code !== 10402 && code !== 10403)).toEqual([]);
  expect((await send.ok("GET", `/${created.id}`)).result).toEqual(put.result);
  return read;
}

/** The body of an add-on application whose names are those of the wire. */
const withWireNames = ({ smart_routing, ...body }: AppBody, profile: string) => ({
  ...body,
  ...(smart_routing !== undefined && {
    [profile === "spec" ? "smart_routing" : "argo_smart_routing"]: smart_routing,
  }),
});

describe.each(profiles)("profile %s", (profile) => {
  test("law: a pay-as-you-go application that was read is put back with 200, and only modified_on changes", async () => {
    const bare = app
      .filter(({ origin_direct }) => origin_direct !== undefined)
      .map(({ protocol, dns, origin_direct }) => ({ protocol, dns, origin_direct }));
    await fc.assert(
      fc.asyncProperty(bare, async (body) => {
        const read = await putBack(client("pay-as-you-go", profile), body);
        expect(Object.keys(read).sort()).toEqual(paidAsYouGo);
      }),
      { numRuns: runs(200) },
    );
  });

  test("law: an application with the add-on that was read is put back with 200, and only modified_on changes", async () => {
    await fc.assert(
      fc.asyncProperty(app, async (body) => {
        await putBack(client("add-on", profile), withWireNames(body, profile));
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("a pay-as-you-go application", () => {
  const direct = {
    protocol: "tcp/22",
    dns: { type: "CNAME", name: "ssh.example.com" },
    origin_direct: ["tcp://192.0.2.1:22"],
  };

  test("has six members in every answer", async () => {
    const send = client("pay-as-you-go", "spec");
    const { result } = await send.ok("POST", "", direct);
    const expected = { ...direct, id: result.id, created_on: result.created_on };
    const patched = await send.ok("PATCH", `/${result.id}`, { origin_direct: ["tcp://192.0.2.2:22"] });
    expect(withoutTime(patched.result)).toEqual({ ...expected, origin_direct: ["tcp://192.0.2.2:22"] });
    const put = await send.ok("PUT", `/${result.id}`, direct);
    expect(withoutTime(put.result)).toEqual(expected);
    for (const query of ["", "?page=1"])
      expect((await send.ok("GET", query)).result.map(withoutTime)).toEqual([expected]);
  });

  test("ignores id, created_on and modified_on of a request without a message", async () => {
    const send = client("pay-as-you-go", "spec");
    const sent = { ...direct, id: "x", created_on: 1, modified_on: null };
    const { result, messages } = await send.ok("POST", "", sent);
    expect(result).toMatchObject(direct);
    expect(result.id).toMatch(/^[0-9a-f]{32}$/);
    expect(messages.filter(({ code }: Json) => code !== 10403)).toEqual([]);
  });

  test("is still rejected with members of the add-on", async () => {
    const response = await client("pay-as-you-go", "spec")("POST", "", { ...direct, tls: "off" });
    expect([response.status, ((await response.json()) as Json).errors[0].code]).toEqual([400, 10012]);
  });
});
