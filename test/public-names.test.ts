/** The number of names that the entries export: each is one that a user has to find among the others. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Maximum number of names (`chosen`). A new name that a guide does not use is an indexed access of another one. */
const maxNames = 450;

function namesOf(entry: string): readonly string[] {
  const code = readFileSync(`src/entries/${entry}`, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  expect(code, entry).not.toMatch(/export (\*|const|function|class|interface|type \w)/);
  const lists = [...code.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
    list.split(","),
  );
  return lists.map((name) => name.replace(/^\s*(type )?/, "").trim()).filter(Boolean);
}

test(`the entries export at most ${maxNames} names, and each name once an entry`, () => {
  const entries = readdirSync("src/entries", { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const names = entries.map(namesOf);
  for (const [index, list] of names.entries()) expect(new Set(list).size, entries[index]).toBe(list.length);
  const unique = new Set(names.flat());
  expect(unique.size).toBeGreaterThan(300);
  expect(unique.size).toBeLessThanOrEqual(maxNames);
});
