/**
 * Runs the steps of the Dockerfile without a container engine: each stage is a folder, and absolute paths of the
 * image are paths in it. `npm ci` links the packages of the repository, which the same lock file installed.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const repository = process.env["EDGEPROOF_REPOSITORY"] ?? "";

interface Instruction {
  readonly name: string;
  readonly value: string;
}

interface Stage {
  readonly folder: string;
  readonly env: Record<string, string>;
  workdir: string;
}

/** The instructions, without comments. */
function readInstructions(): Instruction[] {
  const lines = readFileSync(join(repository, "Dockerfile"), "utf8").split("\n");
  return lines
    .filter((line) => /^[A-Z]/.test(line))
    .map((line) => ({ name: line.split(" ")[0] ?? "", value: line.slice(line.indexOf(" ") + 1) }));
}

const temporary = mkdtempSync(join(tmpdir(), "edgeproof-dockerfile-"));
const stages = new Map<string, Stage>();
const instructions = repository === "" ? [] : readInstructions();
/** The values of the last stage by the names of their instructions. */
const image = new Map<string, string>();

/** Replaces absolute paths of the image by paths in the folder of the stage. */
function inStage(stage: Stage, text: string): string {
  return text.replaceAll(/(?<=^|[\s"=])\/(source|app|data)\b/g, `${stage.folder}/$1`);
}

function copy(stage: Stage, words: readonly string[]): void {
  const from = /^--from=(\w+)$/.exec(words[0] ?? "")?.[1];
  const [to = "", ...sources] = words.slice(from === undefined ? 0 : 1).toReversed();
  const target = to.startsWith("/") ? inStage(stage, to) : join(stage.workdir, to);
  const source = from === undefined ? undefined : stages.get(from);
  if (from !== undefined && source === undefined) throw new Error(`there is no stage ${from}`);
  const ignored = readFileSync(join(repository, ".dockerignore"), "utf8").split("\n").filter(Boolean);
  for (const copied of sources) {
    const path = source ? inStage(source, copied) : join(repository, copied);
    const into = to.endsWith("/") ? join(target, copied.split("/").at(-1) ?? "") : target;
    cpSync(path, into, {
      recursive: true,
      filter: (file) => source !== undefined || !ignored.some((name) => matches(file, name)),
    });
  }
}

/** Whether a file of the repository is one that `.dockerignore` names. */
function matches(file: string, name: string): boolean {
  const path = file.slice(repository.length).replace(/^\//, "");
  const pattern = name
    .replaceAll(".", "\\.")
    .replaceAll("**/", "(.*/)?")
    .replaceAll(/(?<!\.)\*/g, "[^/]*");
  return new RegExp(`^${pattern}$`).test(path);
}

function runStep(stage: Stage, command: string): void {
  if (command.startsWith("npm ci")) {
    symlinkSync(join(repository, "node_modules"), join(stage.workdir, "node_modules"));
    return;
  }
  // The owner is a user of the image; here it is the one that runs the test.
  const line = inStage(stage, command).replace(/ && chown node:node \S+/, "");
  execFileSync("bash", ["-e", "-c", line], { cwd: stage.workdir, env: { ...process.env, ...stage.env } });
}

function apply(): void {
  let stage: Stage | undefined;
  for (const { name, value } of instructions) {
    if (name === "FROM") {
      const folder = mkdtempSync(join(temporary, "stage-"));
      stage = { folder, env: {}, workdir: folder };
      stages.set(/ AS (\w+)$/.exec(value)?.[1] ?? "image", stage);
      image.clear();
      continue;
    }
    if (!stage) throw new Error(`${name} is before FROM`);
    if (name === "WORKDIR") {
      stage.workdir = inStage(stage, value);
      mkdirSync(stage.workdir, { recursive: true });
    } else if (name === "COPY") copy(stage, value.split(" "));
    else if (name === "RUN") runStep(stage, value);
    else if (name === "ENV") stage.env[value.split("=")[0] ?? ""] = value.slice(value.indexOf("=") + 1);
    else image.set(name, value);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Starts the entry point and waits until the health check succeeds. */
async function start(port: number): Promise<ChildProcess> {
  const stage = stages.get("image");
  if (!stage) throw new Error("the Dockerfile has no last stage");
  const [, ...words] = JSON.parse(inStage(stage, image.get("ENTRYPOINT") ?? "[]")) as string[];
  const child = spawn(process.execPath, [...words, "--port", String(port), "--allow-host", "edgeproof"], {
    env: { ...process.env, ...stage.env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (let attempt = 0; attempt < 60 && !isHealthy(port); attempt++) await sleep(500);
  return child;
}

function isHealthy(port: number): boolean {
  const words = JSON.parse(/CMD (\[.*\])$/.exec(image.get("HEALTHCHECK") ?? "")?.[1] ?? "[]") as string[];
  const [, ...check] = words.map((word) => word.replace(":8787/", `:${port}/`));
  return spawnSync(process.execPath, check).status === 0;
}

describe.skipIf(repository === "")("the steps of the Dockerfile", () => {
  beforeAll(apply, 600_000);
  afterAll(() => rmSync(temporary, { recursive: true, force: true }));

  test("the image has a server that is healthy, keeps its data, and ends on SIGTERM", async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/client/v4/accounts/a1/images/v1/variants`;
    const headers = { authorization: "Bearer any", "content-type": "application/json" };
    const body = JSON.stringify({
      id: "hero",
      options: { fit: "scale-down", width: 100, height: 100, metadata: "none" },
    });
    expect(isHealthy(port)).toBe(false);
    const first = await start(port);
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
    first.kill("SIGTERM");
    expect(await once(first, "exit")).toEqual([0, null]);
    expect(existsSync(join(stages.get("image")?.folder ?? "", "data/edge.db"))).toBe(true);
    const second = await start(port);
    expect(await (await fetch(url, { headers })).json()).toMatchObject({
      result: { variants: { hero: {} } },
    });
    second.kill("SIGTERM");
    await once(second, "exit");
  });

  test("the image has the package and what it needs, and none of the tools that built it", () => {
    const modules = join(stages.get("image")?.folder ?? "", "app/node_modules");
    for (const name of ["edgeproof", "kysely", "libsql", "pg", "sharp"])
      expect(existsSync(join(modules, name)), name).toBe(true);
    for (const name of ["typescript", "esbuild", "vitest"])
      expect(existsSync(join(modules, name)), name).toBe(false);
    expect([...stages.keys()]).toEqual(["build", "image"]);
  });
});
