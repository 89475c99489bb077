/** Keeps private words out of the sources and the guides: each has a standard term that a newcomer knows. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Words that must not come back, and the term to use. */
const words: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/refus(?:e|es|ed|als?|ing)/, "reject"],
  [/mend(?:s|ed|ing)?/, "fix"],
  [/likeness(?:es)?/, "similarity"],
  [/sought/, "searched, query or target"],
  [/nobody|somebody|whoever/, "the caller, the client, or the passive voice"],
  [/anew/, "again"],
  [/stands/, "is, or is at"],
  [/held against/, "checked against, or compared with"],
  [/told/, "reported"],
  [/judge(?:s|d|ment|ments)?|judging/, "validate"],
  [/intake/, "import, or validate"],
  [/stand-ins?/, "placeholder"],
];

/** Places where such a word is right: a name that is not ours, or another meaning. */
const exceptions: readonly (readonly [file: RegExp, text: RegExp, why: string])[] = [
  [/common-shapes-table\.ts$/, /^ {2}"/, "Base64 is no text"],
  [/./, /ECONN\(?REFUSED/, "an error code of the operating system"],
  [/proxy\/grammar\/ip/, /stands for at least one group/, "the usual word for what `::` abbreviates"],
];

const root = fileURLToPath(new URL("..", import.meta.url));

/** Camel case apart, so that words inside of identifiers are found. */
function spell(line: string): string {
  return line.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

function findingsIn(file: string): string[] {
  const lines = readFileSync(root + file, "utf8").split("\n");
  return lines.flatMap((line, i) => {
    const allowed = exceptions.some(([files, text]) => files.test(file) && text.test(line));
    if (allowed) return [];
    return words.flatMap(([pattern, instead]) => {
      const found = new RegExp(`\\b(?:${pattern.source})\\b`).exec(spell(line));
      return found ? [`${file}:${i + 1}  \`${found[0]}\`: use ${instead}`] : [];
    });
  });
}

function filesUnder(folder: string, extension: string): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(extension) && !file.includes("node_modules"))
    .map((file) => `${folder}/${file}`);
}

const guides = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...filesUnder("docs", ".md"),
];
const sources = ["src", "test", "bench", "examples"].flatMap((folder) => filesUnder(folder, ".ts"));
const findings = [...sources, ...guides].flatMap(findingsIn);
for (const finding of findings) console.log(finding);
if (findings.length > 0) {
  console.log(
    `${findings.length} words of a private vocabulary; a name that is not ours goes to \`exceptions\`.`,
  );
  process.exitCode = 1;
}
