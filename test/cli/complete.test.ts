/** `edgeproof complete`: the words that a shell offers, and the scripts. */
import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../store/open.ts";
import { edgeproof } from "../support/cli.ts";

const words = async (...given: string[]) =>
  (await edgeproof(["complete", "--words", "--", ...given])).out.split("\n").slice(0, -1);

describe("words", () => {
  test.each<[string[], string[]]>([
    [["ev"], ["eval"]],
    [
      ["brand", ""],
      ["match", "variants", "logo"],
    ],
    [["queue", "dead", "d"], ["drop"]],
    [["eval", "--req"], ["--requests"]],
    [["suite", "mutate", "--min"], ["--min-score"]],
    [["check", "--format", "s"], ["sarif"]],
    [["check", "--format", "=", "s"], ["sarif"]],
    [["check", "--format=s"], ["--format=sarif"]],
    [["serve", "--log", "j"], ["json"]],
    [["brand", "--h"], ["--help"]],
    [["explain", "always-t"], ["always-true"]],
    [["complete", "z"], ["zsh"]],
    [
      ["queue", "dead", " "],
      ["list", "retry", "drop"],
    ],
  ])("%j can become %j", async (given, expected) => {
    expect(await words(...given)).toEqual(expected);
  });

  test("every command is offered, and no earlier name", async () => {
    expect(await words("")).toEqual(expect.arrayContaining(["brand", "check", "world", "complete"]));
    expect(await words("")).not.toContain("match");
  });

  test("nothing is offered where a file is expected, so that the shell offers files", async () => {
    expect(await words("check", "wor")).toEqual([]);
    expect(await words("eval", "--world", "")).toEqual([]);
    expect(await words("no", "such", "")).toEqual([]);
  });
});

describe("scripts", () => {
  test.each(["bash", "zsh", "fish", "powershell"])("that of %s asks for the words", async (shell) => {
    const { code, out } = await edgeproof(["complete", shell]);
    expect([code, out]).toEqual([0, expect.stringContaining("edgeproof complete --words -- ")]);
  });

  test("another shell is rejected", async () => {
    const { code, err } = await edgeproof(["complete", "tcsh"]);
    expect([code, err]).toEqual([2, expect.stringContaining("bash, zsh, fish, powershell; found `tcsh`")]);
  });

  test("bash passes the words before the cursor, and completes with the answer", async () => {
    const folder = await temporaryFolder();
    const { out } = await edgeproof(["complete", "bash"]);
    writeFileSync(join(folder, "edgeproof"), '#!/bin/sh\nshift 3\necho "$#:$*"\necho next\n');
    chmodSync(join(folder, "edgeproof"), 0o755);
    const script = `${out}\nCOMP_WORDS=(edgeproof brand "ma"); COMP_CWORD=2; _edgeproof; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    expect(execFileSync("bash", ["-c", script], { env, encoding: "utf8" })).toBe("2:brand ma\nnext\n");
  });
});
