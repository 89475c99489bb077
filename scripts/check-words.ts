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

/** Phrases that must not come back, in the case in which they are written. */
const phrases: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/(?:\/\*\*|^\s*(?:\*|\/\/)) What\b[^?]*$/, "a noun phrase"],
  [/\b(?:const|let) (?:most|least|fewest)\b|\b(?:most|least|fewest)[:)] /, "max or min"],
  [/\bat the (?:most|least)\b/, "at most or at least"],
  [/\b(?:[Tt]hat|[Ww]hich) (?:is|are) (?:no [a-z]|none\b)/, "is not a, or invalid"],
  [/\b(?:is|are) none of (?:the|them|these|those)\b/, "is not one of"],
  [/^(?!\s*(?:\/?\*|\/\/)).*(?:\\`|"[^`"]*`)edgeproof [a-z]/, "`npx edgeproof`, which a shell runs as it is"],
  [/\(one[,:)]|\bone =>|\b(?:const|let) (?:\[|\{ )?one\b/, "the noun of the thing"],
  [
    /(?:\/\*\*|^\s*(?:\*|\/\/)|\b(?:describe|description|about)\(?:? ?["`]) ?Those (?:that|of)\b/,
    "the noun of the things",
  ],
];

/** Places where such a word is right: a name that is not ours, or another meaning. */
const exceptions: readonly (readonly [file: RegExp, text: RegExp, why: string])[] = [
  [/(?:common-shapes|glyph-atlas)-table\.ts$/, /^ {2}"/, "Base64 is no text"],
  [/^scripts\/check-words\.ts$/, /./, "the list of words"],
  [/./, /ECONN\(?REFUSED/, "an error code of the operating system"],
  [/core\/address\/ip/, /stands for at least one group/, "the usual word for what `::` abbreviates"],
];

const root = fileURLToPath(new URL("..", import.meta.url));

/** Camel case apart, so that words inside of identifiers are found. */
function spell(line: string): string {
  return line.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

const wholeWord = (pattern: RegExp): RegExp => new RegExp(`\\b(?:${pattern.source})\\b`);

function findingsIn(file: string): string[] {
  const lines = readFileSync(root + file, "utf8").split("\n");
  return lines.flatMap((line, i) => {
    const allowed = exceptions.some(([files, text]) => files.test(file) && text.test(line));
    if (allowed) return [];
    const found = [
      ...words.map(([pattern, instead]) => [wholeWord(pattern).exec(spell(line))?.[0], instead]),
      ...phrases.map(([pattern, instead]) => [pattern.exec(line)?.[0].trim(), instead]),
    ];
    return found
      .filter(([text]) => text !== undefined)
      .map(([text, instead]) => `${file}:${i + 1}  \`${text}\`: use ${instead}`);
  });
}

function filesUnder(folder: string, extension: RegExp): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: "utf8" })
    .filter((file) => extension.test(file) && !file.includes("node_modules"))
    .map((file) => `${folder}/${file}`);
}

const guides = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...filesUnder("docs", /\.md$/),
];
const sources = ["src", "test", "bench", "examples", "scripts", "web"].flatMap((folder) =>
  filesUnder(folder, /\.(?:[cm]?[jt]s|tsx)$/),
);
const findings = [...sources, ...guides].flatMap(findingsIn);
for (const finding of findings) console.log(finding);
if (findings.length > 0) {
  console.log(
    `${findings.length} words of a private vocabulary; a name that is not ours goes to \`exceptions\`.`,
  );
  process.exitCode = 1;
}
