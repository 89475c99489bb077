/** The data of the screen Applications: findings at their places, fixes, and checks of a stored application against others. */
import { expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { appEndpoints } from "../../src/workbench/data/app-endpoints.ts";
import type { AppCheck, AppView } from "../../src/workbench/messages.ts";

/** In this plan a protocol has one application, so an application would conflict with itself. */
const world = {
  accounts: [{ id: "a1", proxy: { plan: "pay-as-you-go" as const } }],
  zones: [{ id: "z1", name: "example.com", account_id: "a1" }],
};
const edge = createEdge({ world });
const request = new Request("http://127.0.0.1/");

function call<T>(name: string, body: object): Promise<T> {
  return appEndpoints[name]?.handle({ edge, body, request, query: {} }) as Promise<T>;
}

const check = (text: string, id = "") => call<AppCheck>("app/check", { zone: "z1", id, text });
const body = (origin: string) => `{
  // SSH
  "protocol": "tcp/22",
  "dns": { "type": "CNAME", "name": "ssh.example.com" },
  "origin_direct": ["${origin}"]
}`;

test("a violation has its code, line and part of the text, and the fix keeps the comment", async () => {
  const text = body("tcp://2001:db8::1:22");
  const { findings, fixed } = await check(text);
  expect(findings.map(({ code, level }) => [code, level])).toEqual([[11002, "error"]]);
  const [place] = findings[0]!.places;
  expect([place!.line, text.slice(place!.start, place!.end)]).toEqual([5, '"tcp://2001:db8::1:22"']);
  expect(fixed).toBe(body("tcp://[2001:db8::1]:22"));
});

test("a text that is not JSON has the place of its error", async () => {
  const { fault, findings } = await check('{\n  "protocol": }');
  expect([fault?.line, findings]).toEqual([2, []]);
  expect(fault!.start).toBe(16);
});

test("a saved application is checked as its own replacement, not against itself", async () => {
  const text = body("tcp://192.0.2.1:22");
  const saved = await call<readonly AppView[]>("app/save", { zone: "z1", id: "", text });
  expect(saved.map(({ name, protocol }) => [name, protocol])).toEqual([["ssh.example.com", "tcp/22"]]);
  const codes = async (id: string) =>
    (await check(text, id)).findings.filter(({ level }) => level === "error").length;
  expect(await codes("")).toBe(1);
  expect(await codes(saved[0]!.id)).toBe(0);
  await call("app/save", { zone: "z1", id: saved[0]!.id, text: text.replace("192.0.2.1", "192.0.2.2") });
  expect((await edge.proxy.apps.list("z1")).items.map(({ app }) => app.origin_direct)).toEqual([
    ["tcp://192.0.2.2:22"],
  ]);
});

test("a rejected application changes nothing", async () => {
  const before = (await edge.proxy.apps.list("z1")).items.length;
  await expect(call("app/save", { zone: "z1", id: "", text: body("tcp://x:22") })).rejects.toThrow();
  await expect(call("app/save", { zone: "z1", id: "", text: "{" })).rejects.toThrow(/not JSON/);
  expect((await edge.proxy.apps.list("z1")).items.length).toBe(before);
});
