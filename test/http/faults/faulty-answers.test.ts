/** Each kind of fault over `edge.fetch`. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { createEdge, type EdgeOptions } from "../../../src/edge.ts";
import { expectFailure } from "../../support/failure.ts";
import { countRules, createRule, requestOf, rulesPath, statusesOf } from "./edges.ts";

afterEach(() => void vi.useRealTimers());

describe("an injected status", () => {
  test("429 has code 971, the headers of the service's limit and `Retry-After`", async () => {
    const edge = createEdge({
      faults: [
        { status: 429, times: 1 },
        { status: 429, retryAfter: 7 },
      ],
    });
    const response = await edge.fetch(requestOf(rulesPath));
    expect(response.headers.get("retry-after")).toBe("1");
    expect(response.headers.get("ratelimit")).toBe('"default";r=0;t=1');
    expect(response.headers.get("ratelimit-policy")).toBe('"default";q=1200;w=300');
    await expectFailure(response, { status: 429, code: 971, message: /throttling/ });
    expect((await edge.fetch(requestOf(rulesPath))).headers.get("retry-after")).toBe("7");
  });

  test.each([500, 503] as const)("%s has code 10002, a trace id and no detail", async (status) => {
    const reported: unknown[] = [];
    const edge = createEdge({ faults: [{ status }], onError: (error) => reported.push(error) });
    const response = await edge.fetch(requestOf(rulesPath));
    expect(response.headers.get("x-trace-id")).toMatch(/^[0-9a-f]{16}$/);
    expect(response.headers.has("retry-after")).toBe(false);
    await expectFailure(response, { status, code: 10002 });
    expect(reported).toEqual([]);
  });

  test("comes before credentials, and before the request has an effect", async () => {
    const edge = createEdge({ faults: [{ status: 503, times: 1 }] });
    const bare = await edge.fetch(new Request(`https://edge.test/client/v4${rulesPath}`));
    expect(bare.status).toBe(503);
    const other = createEdge({ faults: [{ status: 503 }] });
    expect((await createRule(other)).status).toBe(503);
    expect(await countRules(other)).toBe(0);
  });

  test("comes after the effect of the request with `after`, with the same trace id header", async () => {
    const edge = createEdge({ profile: "provider", faults: [{ status: 503, after: true }] });
    const response = await createRule(edge);
    expect(response.headers.get("cf-ray")).toMatch(/^[0-9a-f]{16}$/);
    await expectFailure(response, { status: 503, code: 10002 });
    expect(await countRules(edge)).toBe(1);
  });

  test("has no body for HEAD, before and after the effect", async () => {
    for (const after of [false, true]) {
      const edge = createEdge({ faults: [{ status: 503, after }] });
      const response = await edge.fetch(requestOf(rulesPath, { method: "HEAD" }));
      expect([response.status, await response.text()]).toEqual([503, ""]);
    }
  });

  test("is seen by onAnswer with its code", async () => {
    const seen: unknown[] = [];
    const onAnswer: EdgeOptions["onAnswer"] = ({ status, codes }) => seen.push([status, ...codes]);
    for (const after of [false, true]) {
      const edge = createEdge({ faults: [{ status: 429, after }], onAnswer });
      await edge.fetch(requestOf(rulesPath));
    }
    expect(seen).toEqual([
      [429, 971],
      [429, 971],
    ]);
  });
});

describe("a slow answer", () => {
  test("waits by the global timer before the request has an effect, and with `after` after it", async () => {
    vi.useFakeTimers();
    for (const after of [false, true]) {
      const edge = createEdge({ faults: [{ delayMs: 60_000, after }] });
      let answered = false;
      const answer = createRule(edge).then((response) => {
        answered = true;
        return response;
      });
      await vi.advanceTimersByTimeAsync(59_999);
      expect([answered, await countRules(edge)]).toEqual([false, after ? 1 : 0]);
      await vi.advanceTimersByTimeAsync(1);
      expect((await answer).status).toBe(200);
      expect(await countRules(edge)).toBe(1);
    }
  });

  test("ends when the client leaves; the request then has no effect, with `after` it had one", async () => {
    vi.useFakeTimers();
    for (const after of [false, true]) {
      const reported: unknown[] = [];
      const onError = (error: unknown) => reported.push(error);
      const edge = createEdge({ faults: [{ delayMs: 60_000, after }], onError });
      const client = new AbortController();
      const answer = createRule(edge, { signal: client.signal });
      await vi.advanceTimersByTimeAsync(1_000);
      client.abort();
      await answer;
      expect([await countRules(edge), vi.getTimerCount(), reported]).toEqual([after ? 1 : 0, 0, []]);
    }
  });
});

describe("a cut answer", () => {
  test("has its headers and the first bytes, then the body fails; the request had its effect", async () => {
    const edge = createEdge({ faults: [{ cut: 5 }] });
    const response = await createRule(edge);
    const length = Number(response.headers.get("content-length"));
    expect(response.status).toBe(200);
    expect(length).toBeGreaterThan(100);
    const reader = response.body!.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe('{"res');
    await expect(reader.read()).rejects.toThrow(TypeError);
    expect(await countRules(edge)).toBe(1);
  });

  test("never has its last byte", async () => {
    const edge = createEdge({ faults: [{ cut: 1_000_000 }] });
    const response = await edge.fetch(requestOf(rulesPath));
    const first = await response.body!.getReader().read();
    expect(first.value?.length).toBe(Number(response.headers.get("content-length")) - 1);
  });

  test("can be an injected one", async () => {
    const edge = createEdge({ faults: [{ status: 503, cut: 3 }] });
    const response = await createRule(edge);
    expect(response.status).toBe(503);
    await expect(response.text()).rejects.toThrow(/cut the answer off/);
    expect(await countRules(edge)).toBe(0);
  });

  test("with 0 bytes is none: the call rejects as that of `fetch`, and only with `after` the request had its effect", async () => {
    for (const after of [false, true]) {
      const edge = createEdge({ faults: [{ cut: 0, after, times: 1 }] });
      await expect(createRule(edge)).rejects.toThrow(/^fetch failed/);
      expect(await countRules(edge)).toBe(after ? 1 : 0);
    }
  });

  test("without a body is none", async () => {
    const edge = createEdge({ faults: [{ cut: 5 }] });
    await expect(edge.fetch(requestOf(rulesPath, { method: "HEAD" }))).rejects.toThrow(TypeError);
  });
});

describe("rules", () => {
  test("the first rule whose turn it is decides; all that match count", async () => {
    const edge = createEdge({
      faults: [
        { every: 2, status: 429 },
        { every: 3, status: 500 },
        { every: 4, status: 503 },
      ],
    });
    expect(await statusesOf(edge, 6)).toEqual([200, 429, 500, 429, 200, 429]);
    expect(edge.faults.rules().map(({ counted, happened }) => [counted, happened])).toEqual([
      [6, 3],
      [6, 1],
      [6, 0],
    ]);
  });

  test("probes and unknown addresses neither fail nor count", async () => {
    const edge = createEdge({ faults: [{ every: 2, status: 503 }] });
    for (const path of ["/livez", "/readyz", "/health"])
      expect((await edge.fetch(new Request(`https://edge.test${path}`))).status).toBe(200);
    expect((await edge.fetch(requestOf("/nothing"))).status).toBe(404);
    expect((await edge.fetch(requestOf(rulesPath, { method: "PUT" }))).status).toBe(405);
    expect(await statusesOf(edge, 2)).toEqual([200, 503]);
  });

  test("a match chooses endpoints by id, by the start of ids, by path, by parameters and by method", async () => {
    const matches = [
      [{ endpoint: "tokens.rules.list" }, [503, 200]],
      [{ endpoint: "tokens.rules" }, [503, 200]],
      [{ endpoint: "proxy" }, [200, 503]],
      [{ path: "/zones/{zone_id}/token_validation/rules" }, [503, 200]],
      [{ path: "/client/v4/zones/{zone_id}/app_service/apps" }, [200, 503]],
      [{ path: "/zones/{zone_id}/spectrum/apps" }, [200, 503]],
      [{ path: "/zones/z1/token_validation/rules" }, [503, 200]],
      [{ path: "/zones/z2/token_validation/rules" }, [200, 200]],
      [{ method: "POST" }, [200, 200]],
      [{ method: "GET", endpoint: "tokens" }, [503, 200]],
    ] as const;
    for (const [match, expected] of matches) {
      const edge = createEdge({ faults: [{ match, status: 503 }] });
      const statuses = [];
      for (const path of [rulesPath, "/zones/z1/app_service/apps"])
        statuses.push(...(await statusesOf(edge, 1, path)));
      expect(statuses, JSON.stringify(match)).toEqual(expected);
    }
  });

  test("a path matches parameters of several segments", async () => {
    const edge = createEdge({
      faults: [{ match: { path: "/accounts/a1/images/v1/shop/cat" }, status: 503 }],
    });
    const path = (id: string) => `/accounts/a1/images/v1/${id}`;
    expect(await statusesOf(edge, 1, path("shop/cat"))).toEqual([503]);
    expect(await statusesOf(edge, 1, path("shop%2Fcat"))).toEqual([503]);
    expect(await statusesOf(edge, 1, path("shop/dog"))).toEqual([404]);
  });

  test("can be replaced while the edge runs, with counts from 0; an invalid list changes nothing", async () => {
    const edge = createEdge({ faults: [{ every: 2, status: 429 }] });
    expect(await statusesOf(edge, 1)).toEqual([200]);
    expect(() => edge.faults.replace([{ every: 0, status: 503 }])).toThrow(/at least 1; found `0`/);
    expect(await statusesOf(edge, 2)).toEqual([429, 200]);
    edge.faults.replace([{ every: 2, status: 503 }]);
    expect(await statusesOf(edge, 2)).toEqual([200, 503]);
    edge.faults.replace([]);
    expect(await statusesOf(edge, 2)).toEqual([200, 200]);
  });

  test("faults of the store hit its transactions, and the delay is before them", async () => {
    vi.useFakeTimers();
    const edge = createEdge({ faults: [{ at: "store", times: 1, status: 500, delayMs: 1_000 }] });
    const answer = edge.tokens.rules.list("z1").catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await answer).toBe("a fault of store was injected");
    expect(await countRules(edge)).toBe(0);
  });
});

describe("the header Prefer", () => {
  const prefer = (value: string) => requestOf(rulesPath, { headers: { prefer: value } });
  const edge = createEdge({ requestFaults: true });

  test("asks for a status, and the answer names the preferences that were applied", async () => {
    const response = await edge.fetch(prefer('respond-async, CODE="429"; x=1, retry-after=3, code=503'));
    expect(response.headers.get("preference-applied")).toBe("code=429, retry-after=3");
    expect(response.headers.get("retry-after")).toBe("3");
    await expectFailure(response, { status: 429, code: 971 });
  });

  test("asks for a lost answer after the effect", async () => {
    const own = createEdge({ requestFaults: true });
    await expect(createRule(own, { headers: { prefer: "cut=0, after" } })).rejects.toThrow(TypeError);
    expect(await countRules(own)).toBe(1);
  });

  test("asks for a delay in seconds", async () => {
    vi.useFakeTimers();
    const answer = edge.fetch(prefer("delay=1.5"));
    await vi.advanceTimersByTimeAsync(1_500);
    expect((await answer).headers.get("preference-applied")).toBe("delay=1.5");
  });

  test.each([
    ["code=404", /`code` .* must be 429, 500 or 503; found `404`/],
    ["code", /found an empty string/],
    ["delay=61", /seconds from 0 to 60; found `61`/],
    ["delay=1e9", /`delay`/],
    ["cut=-1", /`cut`/],
    ["code=500, after=no", /`after` .* must be without a value/],
    ["code=429, retry-after=86401", /from 0 to 86400/],
  ])("%s is rejected with what is allowed", async (value, message) => {
    await expectFailure(await edge.fetch(prefer(value)), { status: 400, code: 10400, message });
  });

  test.each(["", "return=minimal", "after", "retry-after=3", "wait=10, handling=lenient", "decode=429"])(
    "%j asks for no fault",
    async (value) => {
      const response = await edge.fetch(prefer(value));
      expect([response.status, response.headers.get("preference-applied")]).toEqual([200, null]);
    },
  );

  test("wins over rules, which count the request too", async () => {
    const own = createEdge({ requestFaults: true, faults: [{ every: 2, status: 503 }] });
    const statuses = [];
    for (const value of ["code=429", "code=500", "", ""])
      statuses.push((await own.fetch(prefer(value))).status);
    expect(statuses).toEqual([429, 500, 200, 503]);
  });
});

describe("invalid rules", () => {
  const faultOf = (rules: unknown): string => {
    try {
      createEdge({ faults: rules as never });
      return "";
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError);
      return (error as Error).message;
    }
  };

  test.each([
    [{}, "The list of faults must be an array; found an object"],
    [[{}], "/0: A fault must have `status`, `delayMs` or `cut`."],
    [[{ status: 404 }], "/0/status: `0.status` must be `429`, `500` or `503`; found `404`."],
    [[{ evry: 2, status: 429 }], "did you mean `every`?"],
    [[{ match: { endpont: "x" }, status: 429 }], "did you mean `endpoint`?"],
    [[{ delayMs: 60_001 }], "/0/delayMs: `0.delayMs` must be at most 60000; found `60001`."],
    [[{ every: 1.5, status: 429 }], "/0/every: `0.every` must be an integer; found `1.5`."],
    [[{ retryAfter: 1, delayMs: 1 }], "/0/retryAfter: `retryAfter` needs `status`"],
    [
      [{ match: { endpoint: "tokens.rule.list" }, status: 500 }],
      "/0/match/endpoint: There is no endpoint `tokens.rule.list`; did you mean `tokens.rules.list`?",
    ],
    [[{ match: { endpoint: "live" }, status: 500 }], "/0/match/endpoint: There is no endpoint `live`"],
    [
      [{ match: { path: "/zones/z1/token_validation/rule" }, status: 500 }],
      "/0/match/path: There is no endpoint with the path",
    ],
    [
      [{ match: { endpoint: "images", path: rulesPath }, status: 500 }],
      "/0/match/path: The endpoint `images` does not have the path",
    ],
    [
      [{ match: { endpoint: "tokens.rules.preview", method: "GET" }, status: 500 }],
      "/0/match/method: No endpoint that the rule matches has the method `GET`; allowed are POST.",
    ],
    [
      [{ match: { path: rulesPath, method: "DELETE" }, status: 500 }],
      "/0/match/method: No endpoint that the rule matches has the method `DELETE`; allowed are GET, HEAD, POST.",
    ],
    [[{ match: { endpoint: "tokens.rule" }, status: 500 }], "did you mean `tokens.rules`?"],
    [
      [{ at: "store", match: { method: "GET" }, status: 500 }],
      "/0/match: `match` is only for faults at `answer`; this one is at `store`.",
    ],
    [[{ at: "dns", status: 429 }], "/0/status: A fault at `dns` must have the status 500 or 503"],
    [[{ at: "dns", cut: 1 }], "/0: A fault must have `status` or `delayMs`."],
    [Array(101).fill({ status: 429 }), "at most 100 elements; found 101"],
  ])("%j: %s", (rules, message) => {
    expect(faultOf(rules)).toContain(message);
  });

  test("every problem of a list is reported, and a long name is no work", () => {
    const path = `/zone/${"x".repeat(100_000)}`;
    const message = faultOf([{ match: { path, endpoint: "nothing" } }, { every: 2 }]);
    for (const at of ["/0:", "/0/match/endpoint:", "/0/match/path:", "/1:"]) expect(message).toContain(at);
  });
});
