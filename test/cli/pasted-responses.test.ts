/** Documented responses in the places of a world file, and in a folder of saved ones. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEdge, InvalidInputError } from "edgeproof";
import { beforeAll, describe, expect, test } from "vitest";
import { edgeproof } from "../support/cli.ts";
import { png } from "../support/images.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "edgeproof-"));
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, JSON.stringify(content, null, 2));
  return path;
}

const id = "023e105f4ecef8ad9ca31a8372d0c353";
const options = { fit: "cover", width: 10, height: 10, metadata: "none" };

describe("a world file with a zone of a response", () => {
  const answered = {
    id,
    name: "example.com",
    account: { id: "a1", name: "Shop" },
    owner: { id: "o", name: "p", type: "organization" },
    plan: { id: "x", name: "Business Website", legacy_id: "business" },
    status: "active",
    paused: false,
    type: "full",
    development_mode: 0,
    name_servers: ["ada.ns.example.net"],
    original_name_servers: null,
    created_on: "2020-01-01T00:00:00Z",
    meta: { step: 2 },
    permissions: ["#zone:read"],
  };

  test("has its account and its plan", async () => {
    const world = await file("zone.json", {
      profile: "provider",
      zones: [answered],
      accounts: [{ id: "a1" }],
    });
    const { code, err } = await edgeproof(["check", world, "--allow-empty"]);
    expect(code).toBe(0);
    expect(err).toContain(
      "`account` is an object of responses and was read as `account_id` (at /zones/0/account)",
    );
    expect(err).toContain("`plan` is an object of responses and was read as `plan` (at /zones/0/plan)");
    const edge = createEdge({ world: { zones: [answered] } as never });
    const answer = await edge.fetch(
      new Request(`https://edge.test/client/v4/zones/${id}`, { headers: { authorization: "Bearer t" } }),
    );
    expect(await answer.json()).toMatchObject({ result: { account: { id: "a1" } } });
  });

  test("of a plan that the fields of rules do not name has no plan", async () => {
    const world = { zones: [{ ...answered, plan: { legacy_id: "partners_pro" } }] };
    const { code, err } = await edgeproof(["check", await file("partner.json", world), "--allow-empty"]);
    expect([code, err]).toEqual([0, expect.not.stringContaining("must be")]);
  });
});

describe("a world file with variants by id, as a response has them", () => {
  const worldOf = (variants: object) => ({ accounts: [{ id: "a1", images: { variants } }] });

  test("has each with its id", async () => {
    const variants = { hero: { options }, thumb: { id: "thumb", options } };
    const { code, out } = await edgeproof(["check", await file("variants.json", worldOf(variants))]);
    expect([code, out]).toEqual([0, "2 variants: 0 errors, 0 warnings, 0 notes\n"]);
  });

  test("with an invalid one has the others, and the error", async () => {
    const variants = { bad: { options: { ...options, fit: "stretch" } }, hero: { options } };
    const world = worldOf(variants);
    const checked = await edgeproof(["check", await file("bad-variant.json", world)]);
    expect([checked.code, checked.out]).toEqual([1, expect.stringContaining("found the string `stretch`")]);
    expect(() => createEdge({ world: world as never })).toThrow(InvalidInputError);
    const left: string[] = [];
    createEdge({ world: world as never, onLeftOut: (pointer) => left.push(pointer) });
    expect(left).toEqual(["/accounts/0/images/variants/0"]);
  });
});

describe("images with ids of the service", () => {
  const uuid = "2cdc28f0-017a-49c4-9ed7-87056c83901f";
  const worldOf = async (image: object) => {
    const picture = (await png(2, 2)).toString("base64");
    return {
      profile: "provider" as const,
      accounts: [{ id: "a1", images: { images: [{ image: picture, ...image }] } }],
    };
  };

  test.each([{ id: uuid }, { id: uuid, requireSignedURLs: true }])(
    "%j is accepted in a world",
    async (image) => {
      const edge = createEdge({ world: await worldOf(image) });
      const answer = await edge.fetch(
        new Request(`https://edge.test/client/v4/accounts/a1/images/v1/${uuid}`, {
          headers: { authorization: "Bearer t" },
        }),
      );
      expect(await answer.json()).toMatchObject({ success: true, result: { id: uuid } });
    },
  );

  test("a custom id with signatures, and a client that chooses a UUID, are still rejected", async () => {
    const world = await worldOf({ id: "logo", requireSignedURLs: true });
    expect(() => createEdge({ world })).toThrow("is not allowed for an image that requires signatures");
    const edge = createEdge({ world: await worldOf({ id: uuid }) });
    const form = new FormData();
    form.set("id", uuid.replace("2", "3"));
    form.set("file", new Blob([new Uint8Array(await png(2, 2))]), "a.png");
    const answer = await edge.fetch(
      new Request("https://edge.test/client/v4/accounts/a1/images/v1", {
        method: "POST",
        headers: { authorization: "Bearer t" },
        body: form,
      }),
    );
    expect(await answer.json()).toMatchObject({ errors: [{ code: 5411 }] });
  });
});

describe("a folder of saved responses", () => {
  const saved = (result: unknown, more: object = {}) => ({
    success: true,
    errors: [],
    messages: [],
    result,
    ...more,
  });
  const zone = saved([{ id, name: "example.com", account: { id: "a1" } }]);
  const rule = {
    id: "7f1b7a64-2d35-4c5b-9a8e-0d8f2f6f0c11",
    action: "log",
    expression: "true",
    selector: {},
  };

  test.each<[string, object, number, RegExp]>([
    [
      "an error",
      { success: false, errors: [{ code: 9109, message: "No." }], result: null },
      2,
      /is an error: `9109` `No\.`/,
    ],
    ["a result of null", saved(null), 2, /`result` must be an object or a list; found `null`/],
    ["an empty object", saved({}), 1, /must be an object with members; found an object/],
    ["an element of null", saved([null]), 1, /must be an object; found `null`/],
    [
      "an empty page of a longer list",
      saved([], { result_info: { page: 3, total_count: 9 } }),
      1,
      /0 of 9 elements/,
    ],
  ])("with %s is not complete", async (name, answer, code, message) => {
    const path = name.replaceAll(" ", "-");
    await mkdir(join(folder, path));
    await file(join(path, "zones.json"), zone);
    await file(join(path, "rules.json"), saved([rule]));
    await file(join(path, "other.json"), answer);
    const result = await edgeproof(["check", join(folder, path)]);
    expect(result.out + result.err).toMatch(message);
    expect(result.code).toBe(code);
  });

  test("names the file of a part that is left out, without the others", async () => {
    await mkdir(join(folder, "keys"));
    const zones = await file("keys/zones.json", zone);
    const keys = await file("keys/keys.json", saved({ keys: [{ name: "default", value: "secret" }] }));
    const { out } = await edgeproof(["check", zones, keys, "--allow-empty"]);
    expect(out.split("\n").filter((line) => line.includes("left out: part"))).toEqual([
      `${keys}: left out: part /result/keys/0: A signing key is a secret; \`--with-secrets\` (\`withSecrets\`) copies it.`,
    ]);
  });
});
