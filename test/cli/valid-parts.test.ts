/** Commands that evaluate evaluate the valid parts of a world, and name the others. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mintKey } from "edgeproof/testing";
import { describe, expect, test } from "vitest";
import { createEdge } from "../../src/edge.ts";
import { temporaryFolder } from "../store/open.ts";
import { type CliResult, edgeproof } from "../support/cli.ts";

const folder = await temporaryFolder();
let files = 0;

async function file(value: unknown): Promise<string> {
  const path = join(folder, `${files++}.json`);
  await writeFile(path, JSON.stringify(value));
  return path;
}

const id = "51231d16-01f1-48e3-93f8-91c99e81288e";
const { jwk } = await mintKey("ES256", "key-1");
const config = {
  id,
  title: "Users",
  token_sources: ['http.request.headers["authorization"][0]'],
  credentials: { keys: [jwk] },
};
const zoneOf = (zone: string, expression = `is_jwt_valid("${id}")`) => ({
  id: zone,
  name: `${zone}.example`,
  token_validation: {
    configs: [config],
    rules: [{ action: "block", expression, selector: { include: [{ host: [`${zone}.example`] }] } }],
    operations: [{ operation_id: "list", method: "GET", host: `${zone}.example`, endpoint: "/orders" }],
  },
});
const application = (port: string) => ({
  protocol: port,
  dns: { type: "CNAME", name: "ssh.good.example" },
  origin_direct: ["tcp://192.0.2.1:22"],
});
const variant = (width: unknown) => ({
  id: `v${String(width)}`,
  options: { fit: "cover", metadata: "none", width, height: 5 },
});

/** Each has a faulty part that token validation does not need, and the pointer of that part. */
const faulty: readonly (readonly [string, object, string])[] = [
  [
    "proxy application",
    { proxy: { applications: [application("tcp/99999")] } },
    "/zones/0/proxy/applications/0",
  ],
  ["image variant", { images: { variants: [variant(5), variant("wide")] } }, "/accounts/0/images/variants/1"],
  ["brand query", { brand: { queries: [{ query: "no such query" }] } }, "/accounts/0/brand/queries/0"],
  [
    "picture of a logo query",
    { brand: { logo_queries: [{ tag: "l", similarity_threshold: 0.8, image_path: "missing.png" }] } },
    "/accounts/0/brand/logo_queries/0",
  ],
  ["uploaded image", { images: { images: [{ image_path: "missing.png" }] } }, "/accounts/0/images/images/0"],
  ["member of an account", { plna: "pro" }, "/accounts/0/plna"],
];

function worldWith(more: object) {
  const good = zoneOf("good");
  const isOfZone = Object.hasOwn(more, "proxy");
  return { accounts: [{ id: "a1", ...(!isOfZone && more) }], zones: [{ ...good, ...(isOfZone && more) }] };
}

async function evaluate(
  world: object,
  urls: readonly string[],
  ...words: readonly string[]
): Promise<CliResult> {
  const requests = await file(urls.map((url) => ({ url })));
  return edgeproof(["eval", "--world", await file(world), "--requests", requests, ...words]);
}

const good = "https://good.example/orders";
const bad = "https://bad.example/orders";
const invalidRule = { zones: [zoneOf("good"), zoneOf("bad", 'is_jwt_valid("')] };

describe("eval", () => {
  test.each(faulty)(
    "evaluates requests beside an invalid %s, which is an error",
    async (_name, more, pointer) => {
      const { code, out, err } = await evaluate(worldWith(more), [good], "--expect", "block");
      expect([code, out]).toEqual([1, expect.stringContaining("ok")]);
      expect(err).toMatch(new RegExp(`error invalid-part at ${pointer}\n {2}\\S+:1:\\d+: ${pointer}`));
      const partial = await evaluate(worldWith(more), [good], "--expect", "block", "--partial");
      expect(partial.code).toBe(1);
    },
  );

  test("the message about a picture says why its file cannot be read", async () => {
    const images = [{ image_path: "missing.png" }];
    const { err } = await evaluate(worldWith({ images: { images } }), [good]);
    expect(err).toMatch(/\/images\/0\/image_path: cannot read \S+missing\.png: the file does not exist/);
  });

  test("parts whose indices change because others are left out keep their pointers in the file", async () => {
    const variants = [variant("wide"), variant(5), variant(5)];
    const { code, err } = await evaluate(worldWith({ images: { variants } }), [good]);
    const left = [...err.matchAll(/invalid-part at (\/\S+)/g)].map(([, pointer]) => pointer);
    expect([code, left]).toEqual([1, ["/accounts/0/images/variants/0", "/accounts/0/images/variants/2"]]);
  });

  test("an invalid rule is an error for the requests to its zone, and those to other zones are evaluated", async () => {
    const { code, out, err } = await evaluate(invalidRule, [good, bad], "--json");
    const [first, second] = JSON.parse(out);
    expect([code, first.verdict.action, second.verdict]).toEqual([1, "block", undefined]);
    expect(err).toMatch(/The rules of zone `bad` are invalid: \S+:1:\d+: \/zones/);
    expect((await evaluate(invalidRule, [good, bad], "--partial")).code).toBe(1);
  });

  test("an expectation is not met by a request to a zone with an invalid rule, whatever it expects", async () => {
    const requests = await file([{ url: good }, { url: bad, expect: "allow" }]);
    const line = ["eval", "--world", await file(invalidRule), "--requests", requests, "--partial"];
    const { code, out } = await edgeproof(line);
    expect([code, out.split("\n")[3]]).toEqual([1, expect.stringMatching(/^FAIL +undecided +allow /)]);
  });

  test("a zone with an invalid rule and without requests is an error, too", async () => {
    const { code, err } = await evaluate(invalidRule, [good]);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining("error invalid-part at /zones/1/token_validation"),
    ]);
  });

  test("is exit code 1 when every request is to a zone with an invalid rule", async () => {
    const { code, out, err } = await evaluate(invalidRule, [bad]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/is not a valid world file:\n {2}\S+:1:\d+: \/zones\/1\/token_validation\/rules\/0/);
  });

  test("a request to no zone is undecided with the closest host, and the others are evaluated", async () => {
    const { code, out, err } = await evaluate({ zones: [zoneOf("good"), zoneOf("other")] }, [
      good,
      "https://api.goood.example/orders",
    ]);
    expect([code, out]).toEqual([1, expect.stringMatching(/\nblock .*\nundecided /)]);
    expect(err).toContain("has the host `api.goood.example`; did you mean `good.example`?");
  });

  test.each([[[]], [["--expect", "allow"]], [["--partial"]]])(
    "an empty list of requests is exit code 1 with %j, and names what to add",
    async (words) => {
      const { code, err } = await evaluate({ zones: [zoneOf("good")] }, [], ...words);
      expect([code, err]).toEqual([1, expect.stringMatching(/Nothing was evaluated\. Add a request to /)]);
    },
  );

  test("an empty list of requests is exit code 0 with --allow-empty, which is still named", async () => {
    const { code, err } = await evaluate({ zones: [zoneOf("good")] }, [], "--allow-empty");
    expect([code, err]).toEqual([0, expect.stringContaining("Nothing was evaluated.")]);
  });

  test("an id that is invalid is exit code 2, because every answer could depend on it", async () => {
    const { code } = await evaluate({ accounts: [{ id: "a b" }], zones: [zoneOf("good")] }, [good]);
    expect(code).toBe(2);
  });

  test("--json with another format is exit code 2", async () => {
    const { code, err } = await evaluate({ zones: [zoneOf("good")] }, [good], "--json", "--format", "junit");
    expect([code, err]).toEqual([
      2,
      expect.stringContaining("--json means --format json; found --format junit too"),
    ]);
  });
});

describe("replay", () => {
  test("an invalid rule and an invalid variant are errors, also with --partial", async () => {
    const accounts = [{ id: "a1", images: { variants: [{ id: "v" }] } }];
    const world = await file({ ...invalidRule, accounts });
    const traffic = join(folder, "requests.txt");
    await writeFile(traffic, `curl ${good}`);
    const line = ["replay", "--world", world, "--against", world, "--as", "missing", traffic];
    const { code, err } = await edgeproof(line);
    expect([code, err]).toEqual([1, expect.stringContaining("The rules of zone `bad` are invalid: ")]);
    expect(err).toContain("error invalid-part at /accounts/0/images/variants/0");
    expect((await edgeproof([...line, "--partial"])).code).toBe(1);
  });
});

describe("generate", () => {
  test("rejects a world with an invalid rule, unless another zone is selected", async () => {
    const world = await file(invalidRule);
    const line = ["generate", "--world", world, "--format", "json"];
    const { code, out, err } = await edgeproof([...line, "--partial"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(/is not a valid world file:\n {2}\S+:1:\d+: \/zones\/1\/token_validation\/rules\/0/);
    const other = await edgeproof([...line, "--zone", "good"]);
    expect([other.code, other.out]).toEqual([0, expect.stringContaining("good.example")]);
  });
});

describe("serve and workbench", () => {
  test.each(faulty)("serve rejects a world with an invalid %s", async (_name, more, pointer) => {
    const world = await file(worldWith(more));
    const { code, err } = await edgeproof(["serve", "--port", "0", "--partial", "--world", world]);
    // A picture that cannot be read, and an unknown member, are faults of the file.
    const isRejected = /proxy|variants|queries\/\d+$/.test(pointer) && !pointer.includes("logo");
    expect([code, err]).toEqual([isRejected ? 1 : 2, expect.stringContaining("is not a valid world file")]);
    expect(err).toMatch(new RegExp(`:1:\\d+: ${pointer}`));
  });

  test("workbench rejects a world with an invalid rule", async () => {
    await writeFile(join(folder, "index.html"), "<!doctype html>");
    const page = ["--port", "0", "--partial", "--world", await file(invalidRule)];
    const { code, err } = await edgeproof(["workbench", ...page], "", { env: { EDGEPROOF_PAGE: folder } });
    expect([code, err]).toEqual([1, expect.stringMatching(/:1:\d+: \/zones\/1\/token_validation/)]);
  });
});

describe("createEdge", () => {
  test("rejects a world with an invalid part unless `onLeftOut` is given", () => {
    const world = worldWith({ brand: { queries: [{ query: "no such query" }] } }) as object;
    expect(() => createEdge({ world })).toThrow("/accounts/0/brand/queries/0");
    const left: string[] = [];
    createEdge({ world, onLeftOut: (pointer) => left.push(pointer) });
    expect(left).toEqual(["/accounts/0/brand/queries/0"]);
  });

  test("evaluates no request of a zone whose token validation is left out", async () => {
    const edge = createEdge({ world: invalidRule as object, onLeftOut: () => {} });
    expect((await edge.tokens.evaluate("good", { method: "GET", url: good })).action).toBe("block");
    await expect(edge.tokens.evaluate("bad", { method: "GET", url: bad })).rejects.toThrow(
      "the token validation of zone `bad` is not valid",
    );
  });
});
