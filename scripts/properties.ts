/** The table of laws, made of the names of the property tests. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../test/", import.meta.url));

const named =
  /^(?<indent> *)(?<kind>describe|test)(?:\.each\([^;]*?\))?\(\s*(?<quote>["`'])(?<name>(?:\\.|(?!\k<quote>).)*)\k<quote>/gms;

interface Law {
  readonly file: string;
  readonly law: string;
}

function lawsOf(file: string): readonly Law[] {
  const path: { indent: number; name: string }[] = [];
  const laws: Law[] = [];
  for (const { groups } of readFileSync(`${root}${file}`, "utf8").matchAll(named)) {
    const { indent = "", kind, name = "" } = groups!;
    while (path.length > 0 && path.at(-1)!.indent >= indent.length) path.pop();
    if (kind === "describe") path.push({ indent: indent.length, name });
    else laws.push({ file, law: [...path.map((p) => p.name), name].join(": ") });
  }
  return laws;
}

/** The Markdown of `docs/properties.md`. */
export function propertiesPage(): string {
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".prop.test.ts"))
    .sort();
  const rows = files.flatMap(lawsOf).map(({ file, law }) => {
    const component = file.replace(/\.prop\.test\.ts$/, "");
    return `| [${component}](../test/${file}) | ${law.replaceAll("|", "\\|").replaceAll("\\`", "`")} |`;
  });
  return [
    "# Laws",
    "",
    "What property tests hold for random inputs. Made from the tests' names by `npm run generate`.",
    "",
    "| component | law |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
}
