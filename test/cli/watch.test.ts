/** `--watch`: real files that change, break, disappear and are replaced; real signals. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { entry, planFile, rule, zone } from "../import/terraform/documents.ts";
import { temporaryFolder } from "../store/open.ts";
import { bundledCli } from "../support/bundled.ts";
import { edgeproof } from "../support/cli.ts";
import { png } from "../support/images.ts";

const folder = await temporaryFolder();
let files = 0;

/** A file with a name of its own. */
async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, `${++files}-${name}`);
  await put(path, content);
  return path;
}

async function put(path: string, content: unknown): Promise<void> {
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
}

const good = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
};
const bad = { ...good, tls: "odd" };
const undecidedRule = entry(
  "rule",
  "enforce",
  { ...rule, expression: null },
  { after_unknown: { expression: true } },
);

interface Watched {
  out(): string;
  err(): string;
  /** Resolves when as many runs have ended. */
  runs(count: number): Promise<void>;
  /** Stops the command; its exit code. */
  stop(): Promise<number>;
  readonly ended: Promise<{ readonly code: number }>;
}

const stops: (() => Promise<number>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function watch(words: readonly string[], isTerminal = false): Watched {
  const controller = new AbortController();
  const texts = { out: "", err: "" };
  const ended = edgeproof([...words, "--watch"], "", {
    signal: controller.signal,
    isTerminal,
    onOut: (text) => {
      texts.out += text;
    },
    onErr: (text) => {
      texts.err += text;
    },
  });
  const stop = async () => {
    controller.abort();
    return (await ended).code;
  };
  stops.push(stop);
  return {
    out: () => texts.out,
    err: () => texts.err,
    ended,
    stop,
    runs: (count) => expect.poll(() => countRuns(texts.err), { timeout: 20_000, interval: 20 }).toBe(count),
  };
}

function countRuns(err: string): number {
  return err.match(/^\d\d:\d\d:\d\d exit code \d after \d+\.\d\d s; watching \d+ files?$/gm)?.length ?? 0;
}

describe("--watch", () => {
  test("runs again when a file changes, and ends with 0 when it is stopped", async () => {
    const path = await file("app.json", good);
    const watched = watch(["check", path]);
    await watched.runs(1);
    await put(path, bad);
    await watched.runs(2);
    expect(watched.err()).toMatch(/ exit code 0 .*; watching 1 file\n.* exit code 1 /);
    expect(watched.out()).toMatch(/ 0 errors[\s\S]* 1 error,.*\n$/);
    expect(await watched.stop()).toBe(0);
  });

  test("watches every file: worlds, their pictures, requests", async () => {
    const picture = await file("logo.png", "");
    await writeFile(picture, await png());
    const world = await file("world.json", {
      accounts: [
        { id: "a", brand: { logo_queries: [{ tag: "t", similarity_threshold: 0.9, image_path: picture }] } },
      ],
      zones: [{ id: "z", name: "example.com", account_id: "a" }],
    });
    const requests = await file("requests.json", { url: "https://example.com/" });
    const watched = watch(["eval", "--world", world, "--requests", requests]);
    await watched.runs(1);
    expect(watched.err()).toContain("; watching 3 files");
    await put(picture, "not a picture");
    await watched.runs(2);
    await writeFile(picture, await png());
    await watched.runs(3);
    await put(requests, [{ url: "https://example.com/new" }]);
    await watched.runs(4);
    expect(watched.out()).toContain("/new");
    await put(world, { zones: [] });
    await watched.runs(5);
    expect(watched.err()).toMatch(/exit code 1 after/);
  });

  test("watches the .tf files in which the resources of a plan are found", async () => {
    const source = await mkdtemp(join(folder, "tf-"));
    const tf = join(source, "main.tf");
    const block = 'resource "cloudflare_token_validation_rules" "enforce" {\n}\n';
    await put(tf, block);
    const plan = await file("plan.json", planFile([entry("zone", "main", zone), undecidedRule]).text);
    const watched = watch(["check", plan, "--source", source]);
    await watched.runs(1);
    expect(watched.out()).toContain(`${tf}:1:1: warning undecided`);
    await put(tf, `# edge\n\n${block}`);
    await watched.runs(2);
    expect(watched.out()).toContain(`${tf}:3:1: warning undecided`);
  });

  test("watches the configuration file, and what its patterns and folders match", async () => {
    const at = await mkdtemp(join(folder, "project-"));
    const config = join(at, "edgeproof.config.json");
    const only = (arguments_: string) => ({ commands: { check: { arguments: arguments_ } } });
    await put(join(at, "one.json"), good);
    await put(config, only("o*.json"));
    const page = join(at, "page.sarif");
    const watched = watch([
      "check",
      "--config-file",
      config,
      "--format",
      `sarif=${page}`,
      "--format",
      "text",
    ]);
    await watched.runs(1);
    expect(watched.err()).toContain("; watching 2 files");
    await put(join(at, "other.json"), bad);
    await watched.runs(2);
    expect(watched.err()).toMatch(/exit code 1 .*; watching 3 files\n$/);
    await put(config, only("one.json"));
    await watched.runs(3);
    expect(watched.err()).toMatch(/exit code 0 .*; watching 2 files\n$/);
    await put(config, '{"commands": ');
    await watched.runs(4);
    expect(watched.err()).toMatch(/exit code 2 .*; watching 1 file\n$/);
    await put(config, only("worlds"));
    await watched.runs(5);
    await mkdir(join(at, "worlds"));
    await put(config, only("worlds/"));
    await watched.runs(6);
    await put(join(at, "worlds", "world.json"), { zones: [{ id: "z" }] });
    await watched.runs(7);
    expect(watched.err()).toMatch(/exit code 2 [\s\S]*1 file read, 0 other files/);
    // Its own output in the folder of a pattern is no change.
    await rm(page, { force: true });
    await sleep(500);
    expect(countRuns(watched.err())).toBe(7);
  });

  test("survives a broken file", async () => {
    const path = await file("world.json", { zones: [] });
    const watched = watch(["check", path, "--allow-empty"]);
    await watched.runs(1);
    await put(path, '{"zones": [');
    await watched.runs(2);
    expect(watched.err()).toMatch(/world\.json:1:\d+: the text is not JSON[\s\S]*exit code 2 after/);
    await put(path, { zones: [{ id: "z" }] });
    await watched.runs(3);
    expect(watched.err()).toMatch(/exit code 0 .*\n$/);
  });

  test("a file that is replaced, missing for a moment, is one change without an error", async () => {
    const path = await file("app.json", good);
    const watched = watch(["check", path]);
    await watched.runs(1);
    await rename(path, `${path}~`);
    await sleep(400);
    await put(`${path}.new`, bad);
    await rename(`${path}.new`, path);
    await watched.runs(2);
    expect(watched.err()).not.toContain("does not exist");
    expect(watched.out()).toMatch(/ 1 error,.*\n$/);
  });

  test("a removed file is reported, and the command waits for it", async () => {
    const path = await file("app.json", good);
    const watched = watch(["check", path]);
    await watched.runs(1);
    await rm(path);
    await watched.runs(2);
    expect(watched.err()).toContain("the file does not exist");
    await put(path, good);
    await watched.runs(3);
    expect(watched.err()).toMatch(/exit code 0 .*\n$/);
  });

  test("several changes at once are one run", async () => {
    const path = await file("app.json", good);
    const other = await file("other.json", good);
    const watched = watch(["check", path, other]);
    await watched.runs(1);
    for (let i = 0; i < 6; i++) {
      await put(i % 2 ? path : other, i < 5 ? "[" : good);
    }
    await put(other, good);
    await watched.runs(2);
    expect(watched.err()).not.toContain("not JSON");
    // The run after the second one is that of the next change.
    await put(path, bad);
    await watched.runs(3);
    expect(watched.err().match(/ exit code \d /g)).toEqual([
      " exit code 0 ",
      " exit code 0 ",
      " exit code 1 ",
    ]);
  });

  test("clears a terminal before each further run, and nothing else", async () => {
    const path = await file("app.json", good);
    const [terminal, pipe] = [watch(["check", path], true), watch(["check", path])];
    await Promise.all([terminal.runs(1), pipe.runs(1)]);
    expect(terminal.out()).not.toContain("\u001b[2J");
    await put(path, bad);
    await Promise.all([terminal.runs(2), pipe.runs(2)]);
    expect(terminal.out().split("\u001b[2J")).toHaveLength(2);
    expect(pipe.out()).not.toContain("\u001b");
  });

  test.each<[string[], RegExp]>([
    [["lint", "-"], /--watch cannot read standard input a second time; name a file/],
    [["eval", "--world", "world.json", "--requests", "-"], /cannot read standard input a second time/],
    [["lint", "app.json", "--fix"], /--fix changes the files that --watch waits for/],
    [["check", "world.json", "--format", "xml"], /--format must be/],
    [["check"], /pass at least one file/],
  ])("%j ends with 2, because no change of a file would help", async (words, message) => {
    const watched = watch(words);
    expect((await watched.ended).code).toBe(2);
    expect(watched.err()).toMatch(message);
  });
});

describe("as a process", () => {
  test.each(["SIGINT", "SIGTERM"] as const)("%s ends it with code 0", async (signal) => {
    const path = await file("app.json", good);
    const words = [bundledCli(), "lint", path, "--watch"];
    const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] });
    let err = "";
    child.stderr.on("data", (chunk) => {
      err += chunk;
    });
    const ended = once(child, "exit");
    try {
      await expect.poll(() => err, { timeout: 60_000 }).toContain("; watching 1 file\n");
      await put(path, "{");
      await expect.poll(() => err, { timeout: 20_000 }).toMatch(/not JSON[\s\S]*exit code 2 after .*\n/);
      child.kill(signal);
      expect(await ended).toEqual([0, null]);
    } finally {
      child.kill("SIGKILL");
    }
  });
});
