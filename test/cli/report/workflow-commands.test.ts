/** Names in files begin no workflow command in the log of GitHub Actions. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../store/open.ts";
import { edgeproof } from "../../support/cli.ts";

const folder = await temporaryFolder();
const env = { GITHUB_ACTIONS: "true" };

/** Lines that the runner would read as commands. */
function commandsIn(text: string): readonly string[] {
  return text.split(/[\r\n]/).filter((line) => line.trimStart().startsWith("::") || line.includes("##["));
}

describe("on GitHub Actions", () => {
  test("the names of requests begin no command: neither verdicts, explanations nor differences", async () => {
    const world = join(folder, "world.json");
    const requests = join(folder, "requests.json");
    await writeFile(world, JSON.stringify({ zones: [{ id: "z", name: "example.com" }] }));
    const url = "https://example.com/";
    const named = ["::error::x", "##[add-mask]x", "a\n::set-output name=y::z"].map((name) => ({ url, name }));
    await writeFile(requests, JSON.stringify(named));
    const words = ["eval", "--world", world, "--request", requests, "--expect", "block"];
    for (const more of [[], ["--explain"]]) {
      const { code, out, err } = await edgeproof([...words, ...more], "", { env });
      expect(code).toBe(1);
      expect(commandsIn(out + err)).toEqual([]);
      expect(out).toContain("add-mask]x");
      const elsewhere = await edgeproof([...words, ...more]);
      expect(elsewhere.out).toContain("##[add-mask]x");
    }
    const explained = await edgeproof([...words, "--explain"], "", { env });
    expect(explained.out).toContain("\\u003a:error::x\n");
    const annotated = await edgeproof([...words, "--format", "github"], "", { env });
    expect(commandsIn(annotated.out)).toHaveLength(3);
    expect(annotated.err).toBe("");
  });

  test("the message of a usage error begins no command", async () => {
    const world = join(folder, "broken.json");
    await writeFile(world, JSON.stringify({ "\n::error::x": 1, "##[error]": 2 }));
    for (const words of [
      ["check", world],
      ["check", "a\n::error::x.json"],
    ]) {
      const { code, err } = await edgeproof(words, "", { env });
      expect([code, commandsIn(err)]).toEqual([2, []]);
    }
  });
});
