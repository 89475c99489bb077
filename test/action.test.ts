/** The action at the root, and the pipelines of docs/ci.md: their commands run as a runner would run them. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "./store/open.ts";
import { bundledCli } from "./support/bundled.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly unknown[] };
}

interface ActionStep {
  readonly id: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: string;
}

interface FailureStep {
  readonly if: string;
  readonly run: string;
}

const action = parse(readFileSync("action.yml", "utf8")) as Action;
const [step, failureStep] = action.runs.steps as [ActionStep, FailureStep];
const guide = readFileSync("docs/ci.md", "utf8");

const folder = await temporaryFolder();
const bin = join(folder, "bin");
mkdirSync(bin);
mkdirSync(join(folder, "apps"));

/** In place of `npx`, which would download the package: runs the executable, and notes the package that was asked for. */
const npx = `#!/usr/bin/env bash
case "$1" in --yes | --no-install) shift ;; esac
echo "$1" >> "${folder}/packages"
case "$1" in edgeproof@99.*) echo "npm error notarget ::error::$1" >&2; exit 1 ;; esac
shift
case "$*" in *crash*) exit 134 ;; esac
exec "${process.execPath}" "${bundledCli()}" "$@"
`;
for (const [name, text] of Object.entries({ npx, npm: "#!/bin/sh\n" })) {
  writeFileSync(join(bin, name), text);
  chmodSync(join(bin, name), 0o755);
}

const app = {
  protocol: "tcp/22",
  dns: { type: "CNAME", name: "ssh.example.com" },
  origin_direct: ["tcp://192.0.2.1:22"],
};
const hostile = "x\n::error::stolen `$(touch pwned)` ##[add-mask]a";

function put(name: string, content: unknown): void {
  writeFileSync(join(folder, name), JSON.stringify(content, null, 2));
}

const zone = { id: "z1", name: "example.com", account_id: "a1" };
const options = { fit: "cover", metadata: "none", width: 10, height: 10 };
put("world.json", {
  accounts: [{ id: "a1", images: { variants: [{ id: "thumb", options }] } }],
  zones: [zone],
});
put("requests.json", [{ url: "https://example.com/", expect: { action: "allow", outcome: "no_rule" } }]);
put("unexpected.json", [{ url: "https://example.com/", name: hostile, expect: "block" }]);
put("apps/good.json", app);
put("apps/an other.json", app);
put("bad.json", { ...app, protocol: hostile });

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly summary: string;
  readonly output: string;
}

let runs = 0;

/** Runs a script in the folder with the files of a step. */
async function runScript(script: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const files = { GITHUB_STEP_SUMMARY: "", GITHUB_OUTPUT: "" };
  for (const name of Object.keys(files) as (keyof typeof files)[]) {
    files[name] = join(folder, `${name}-${++runs}`);
    writeFileSync(files[name], "");
  }
  const { PATH = "", HOME = "", TMPDIR = "" } = process.env;
  const ran = { PATH: `${bin}${delimiter}${PATH}`, HOME, TMPDIR, GITHUB_ACTIONS: "true", ...files, ...env };
  return new Promise((done) => {
    execFile("bash", ["-c", script], { cwd: folder, env: ran }, (error, stdout, stderr) => {
      const code = error ? Number(error.code) : 0;
      const [summary, output] = Object.values(files).map((file) => readFileSync(file, "utf8"));
      done({ code, out: stdout + stderr, summary: summary!, output: output! });
    });
  });
}

/** Runs the action's step as the runner does: with the inputs in its variables. */
function runAction(inputs: Readonly<Record<string, string>>): Promise<Ran> {
  const values: Readonly<Record<string, string>> = { ...defaults, ...inputs };
  const env = Object.entries(step.env).map(([name, value]) => [name, fill(value, values)]);
  return runScript(step.run, Object.fromEntries(env));
}

const defaults = Object.fromEntries(
  Object.entries(action.inputs).map(([name, { default: value = "" }]) => [name, value]),
);

function fill(value: string, inputs: Readonly<Record<string, string>>): string {
  if (value === `\${{ github.action_path }}`) return resolve(".");
  const [, name = ""] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)!;
  expect(inputs, name).toHaveProperty(name);
  return inputs[name]!;
}

/** The commands that the runner reads in a log, as it does outside of `::stop-commands::`. */
function commandsIn(log: string): readonly string[] {
  let token: string | undefined;
  return log.split(/\r?\n/).filter((line) => {
    if (token !== undefined) {
      if (line === `::${token}::`) token = undefined;
      return false;
    }
    [, token] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    return token === undefined && (line.trimStart().startsWith("::") || line.includes("##["));
  });
}

const slow = { timeout: 120_000 };

describe("action.yml", () => {
  test("no input is a part of the script, and each but the folder is a variable", () => {
    expect(step.run).not.toContain("${{");
    const used = Object.values(step.env).flatMap((value) => /inputs\.([a-z-]+)/.exec(value)?.[1] ?? []);
    const inputs = Object.keys(action.inputs).filter((name) => name !== "working-directory");
    expect(used.sort()).toEqual(inputs.sort());
    expect(action.outputs["exit-code"]?.value).toBe(`\${{ steps.${step.id}.outputs.exit-code }}`);
  });

  test("annotates, appends the summary and ends with the code of the command", slow, async () => {
    const ran = await runAction({
      command: "eval",
      arguments: "--world world.json --requests unexpected.json",
    });
    expect(ran.code).toBe(1);
    const commands = commandsIn(ran.out);
    expect(commands).toHaveLength(1);
    expect(commands[0]).toMatch(
      /^::error file=unexpected\.json,line=2,.*::expected block, got allow; no rule was evaluated: .*%0A/,
    );
    expect(ran.summary).toMatch(/^## edgeproof eval\n\n1 case, 1 failed\n/);
    expect(ran.summary).not.toMatch(/^::|[^\\]`/m);
    expect(ran.output).toBe("exit-code=1\n");
  });

  test(
    "writes the output to a file, expands patterns, and keeps names with spaces together",
    slow,
    async () => {
      const inputs = {
        command: "check",
        arguments: "apps/*.json\n bad.json",
        format: "sarif",
        output: "lint.sarif",
      };
      const ran = await runAction(inputs);
      expect([ran.code, commandsIn(ran.out)]).toEqual([1, []]);
      const log = JSON.parse(readFileSync(join(folder, "lint.sarif"), "utf8"));
      expect(log.runs[0].results.length).toBeGreaterThan(0);
      expect(ran.summary).toContain("3 cases, 1 failed, 2 passed");
    },
  );

  test("text in the log begins no command, and without a summary there is no second run", slow, async () => {
    writeFileSync(join(folder, "packages"), "");
    const inputs = {
      command: "check",
      arguments: "bad.json",
      format: "text",
      summary: "false",
      version: "1.2.3",
    };
    const ran = await runAction(inputs);
    expect([ran.code, commandsIn(ran.out), ran.summary]).toEqual([1, [], ""]);
    expect(readFileSync(join(folder, "packages"), "utf8")).toBe("edgeproof@1.2.3\n".repeat(2));
  });

  test("an invalid file ends with 2 and an annotation of fixed text", slow, async () => {
    writeFileSync(join(folder, "packages"), "");
    const ran = await runAction({ command: "check", arguments: "nowhere.json $(touch pwned) `touch pwned`" });
    expect(ran.code).toBe(2);
    expect(commandsIn(ran.out)).toEqual([
      "::error title=edgeproof::The command could not be run; the log of the step has the reason.",
    ]);
    expect([ran.summary, ran.output]).toEqual(["", "exit-code=2\n"]);
    expect(() => readFileSync(join(folder, "pwned"))).toThrow();
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(readFileSync(join(folder, "packages"), "utf8")).toBe(`edgeproof@${version}\n`.repeat(2));
  });

  test.each([
    ["a version that does not exist", { arguments: "world.json", version: "99.0.0" }],
    ["a command that was killed", { arguments: "crash.json" }],
  ])("%s ends with 3, and a step of its own fails with an annotation", slow, async (_name, inputs) => {
    const ran = await runAction({ command: "check", ...inputs });
    expect([ran.code, commandsIn(ran.out), ran.summary]).toEqual([3, [], ""]);
    expect(ran.output).toBe("exit-code=3\n");
    expect(failureStep.if).toBe(`always() && steps.${step.id}.outputs.exit-code == '3'`);
    const failed = await runScript(failureStep.run);
    expect(failed.code).toBe(3);
    expect(commandsIn(failed.out)).toEqual([expect.stringMatching(/^::error title=.*::Nothing was checked/)]);
  });
});

function blocks(language: string): readonly string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    (found) => found[1]!,
  );
}

interface PipelineStep {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

test.each(readdirSync(".github/workflows"))(
  "the actions of the workflow %s are pinned by commit, with the version as a comment",
  (file) => {
    const text = readFileSync(join(".github/workflows", file), "utf8");
    const used = [...text.matchAll(/uses: (.+)/g)].map(([, action = ""]) => action);
    expect(used).not.toEqual([]);
    for (const action of used) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  },
);

describe("docs/ci.md", () => {
  const [github, calling, hooks, gitlab] = blocks("yaml").map((text) => parse(text));

  test("the workflow that others call has the inputs of the guide", () => {
    const text = readFileSync(".github/workflows/edgeproof.yml", "utf8");
    const workflow = parse(text);
    const inputs = Object.keys(workflow.on.workflow_call.inputs);
    expect(calling.jobs.edgeproof.uses).toMatch(
      /\/\.github\/workflows\/edgeproof\.yml@<commit of a release>$/,
    );
    expect(inputs).toEqual(expect.arrayContaining(Object.keys(calling.jobs.edgeproof.with)));
    for (const { run = "" } of workflow.jobs.check.steps) expect(run).not.toContain("${{");
  });

  test("its script checks the files of the input, and fails when one has a violation", slow, async () => {
    const { jobs } = parse(readFileSync(".github/workflows/edgeproof.yml", "utf8"));
    const script = `set -e\n${jobs.check.steps.at(-1).run}`;
    const run = (files: string) => runScript(`EDGEPROOF_ARGUMENTS="${files}"\n${script}`);
    expect((await run("apps/*.json --world world.json")).code).toBe(0);
    expect((await run("bad.json")).code).toBe(1);
  });

  test("the hook of the guide is one of the repository, and its entry runs", slow, async () => {
    const [hook] = parse(readFileSync(".pre-commit-hooks.yaml", "utf8"));
    expect(hooks.repos[0].hooks[0].id).toBe(hook.id);
    const matching = new RegExp(hook.files);
    expect(
      ["a.json", "a.yml", "terraform.tfstate", "a.ts"].filter((name) => matching.test(name)),
    ).toHaveLength(3);
    expect((await runScript(`${hook.entry} world.json`)).code).toBe(0);
    expect((await runScript(`${hook.entry} bad.json`)).code).toBe(1);
  });

  test("the steps for GitHub use inputs that the action has, and run", slow, async () => {
    const steps = (github.jobs.edgeproof.steps as PipelineStep[]).filter(({ uses }) =>
      uses?.includes("/edgeproof@"),
    );
    expect(steps).toHaveLength(3);
    for (const { with: inputs = {} } of steps) {
      expect(Object.keys(defaults)).toEqual(expect.arrayContaining(Object.keys(inputs)));
      const ran = await runAction({ ...inputs, summary: "false" });
      expect([ran.code, commandsIn(ran.out)], JSON.stringify(inputs)).toEqual([0, []]);
    }
  });

  test("the script for GitLab prints JUnit XML, and fails when one of its commands does", slow, async () => {
    const job = gitlab["edge configuration"] as { readonly script: readonly string[] };
    expect(job.script.slice(-1)).toEqual(["exit $code"]);
    expect((await runScript(["set -e", ...job.script].join("\n"))).code).toBe(0);
    for (const name of ["check", "apps", "eval"])
      expect(readFileSync(join(folder, `${name}.xml`), "utf8")).toMatch(/<testsuites .*failures="0"/);
    const failing = job.script.map((line) => line.replace("requests.json", "unexpected.json"));
    expect((await runScript(["set -e", ...failing].join("\n"))).code).toBe(1);
  });

  test("the script for any shell runs every command", slow, async () => {
    const [script = ""] = blocks("sh");
    const ran = await runScript(script.replace("apps/*.json", "bad.json"));
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/1 variant: 0 errors[\s\S]*1 application: 1 error[\s\S]*allow {2}/);
    expect((await runScript(script)).code).toBe(0);
  });

  test("lists every input of the action with its default", () => {
    const rows = [...guide.matchAll(/^\| `([a-z-]+)` \| (?:`([^`]*)`)? ?\|/gm)].map(
      ([, name, value = ""]) => [name, value],
    );
    for (const [name, { default: value = "" }] of Object.entries(action.inputs))
      expect(rows).toContainEqual([name, value]);
  });
});
