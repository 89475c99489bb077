/** One address of the repository, from which every other one follows. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withAddresses, withLinks } from "../scripts/repository.ts";

const repository = { type: "git", url: "git+https://git.example/team/edge.git" } as const;

describe("an address of the repository", () => {
  test("gives package.json its homepage and its issue tracker", () => {
    expect(withAddresses({ repository })).toEqual({
      repository,
      homepage: "https://git.example/team/edge#readme",
      bugs: { url: "https://git.example/team/edge/issues" },
    });
  });

  test("makes the links of the README absolute, and is taken out again when it is unset", () => {
    const relative = "[a](docs/a.md#b) [c](https://example.com/docs/c) [d](SECURITY.md) ![e](docs/e.png)";
    const absolute = withLinks(relative, { repository });
    expect(absolute).toBe(
      "[a](https://git.example/team/edge/blob/main/docs/a.md#b) [c](https://example.com/docs/c) [d](https://git.example/team/edge/blob/main/SECURITY.md) ![e](https://git.example/team/edge/blob/main/docs/e.png?raw=true)",
    );
    expect(withLinks(absolute, {})).toBe(relative);
    expect(withAddresses({ homepage: "x", bugs: { url: "y" } })).toEqual({});
  });
});

test("the publish workflow stops while the address is unset", () => {
  const workflow = readFileSync(".github/workflows/publish.yml", "utf8");
  const require = workflow.indexOf("scripts/repository.ts --require");
  expect(require).toBeGreaterThan(0);
  expect(workflow.indexOf("npm publish")).toBeGreaterThan(require);
});
