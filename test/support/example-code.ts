/** Reads the code of documents and docstrings, and turns the results that it shows into assertions. */

export interface Example {
  /** File and line, such as `README.md:12`. */
  readonly place: string;
  readonly code: string;
}

const fence = /^```ts\n([\s\S]*?)^```$/gm;

/** The TypeScript blocks of a Markdown text. */
export function blocksOf(text: string, file: string): Example[] {
  return [...text.matchAll(fence)].map((m) => ({ place: `${file}:${lineOf(text, m.index)}`, code: m[1]! }));
}

const docExample =
  /^[ \t]*\* @example(?: +(?<line>\S[^\n]*))?\n(?<block>(?:[ \t]*\*[ \t]?(?!\/|@)[^\n]*\n)*)/gm;

/** The examples of a source file's docstrings: one line, or a fenced block. */
export function docExamplesOf(text: string, file: string): Example[] {
  return [...text.matchAll(docExample)].map((m) => {
    const { line = "", block = "" } = m.groups!;
    const body = block.replaceAll(/^[ \t]*\*[ \t]?/gm, "");
    const fenced = /```ts\n([\s\S]*?)```/.exec(body)?.[1];
    // A one-line example shows its result after a plain `//`.
    return {
      place: `${file}:${lineOf(text, m.index!)}`,
      code: fenced ?? `${line.replace(/ \/\/ (?!=>)/, " // => ")}\n`,
    };
  });
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

const shown =
  /^(?<indent>\s*)(?<condition>if \([^)]*\) )?(?<expression>[^\s/].*?);?\s*\/\/ (?:=> )(?<result>.*)$/;
const binding = /^(?:const|let)\s+(\w+|[{[][^=]*[}\]])\s*=\s*(.*)$/;

/**
 * `expression; // => result` becomes an assertion; the result may also be in the comments below. What it is bound
 * to is checked where it is bound. Everything else stays.
 */
export function assertShownResults(code: string): { readonly code: string; readonly assertions: number } {
  let assertions = 0;
  const joined = code.replaceAll(
    /;?\n[ \t]*\/\/ => (.*)((?:\n[ \t]*\/\/ {2,}.*)*)/g,
    (_all, first: string, rest: string) => {
      return `; // => ${first}${rest.replaceAll(/\n[ \t]*\/\//g, "")}`;
    },
  );
  const lines = joined.split("\n").map((line) => {
    const parts = shown.exec(line)?.groups;
    if (!parts) return line;
    assertions++;
    const { indent, condition = "", expression = "", result } = parts;
    const bound = binding.exec(expression);
    const checked = bound ? bound[1] : expression;
    return `${indent}${condition}${bound ? `${expression}; ` : ""}expect(${checked}).toEqual(${result});`;
  });
  return { code: lines.join("\n"), assertions };
}

/** Splits the imports of a block from the rest, so that the rest can have its own scope. */
export function splitImports(code: string): { readonly imports: string; readonly rest: string } {
  const form = /^import [\s\S]*?;$/gm;
  return { imports: (code.match(form) ?? []).join("\n"), rest: code.replaceAll(form, "") };
}
