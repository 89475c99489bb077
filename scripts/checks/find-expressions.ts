/** Finds the regular expressions of a TypeScript source: literals, and calls of `RegExp` with constant patterns. */
import { dirname, join } from "node:path";
import { type Expression, parseSync, Visitor } from "oxc-parser";

/** The pattern and flags of an expression. */
export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** A regular expression of a file. */
export interface FoundExpression {
  readonly file: string;
  readonly line: number;
  /** The source of the literal or the call. */
  readonly text: string;
  /** Undefined where it is not a constant. */
  readonly pattern: Pattern | undefined;
  /** The text of the comment that names the bound of the input, after `linear:`. */
  readonly exception: string | undefined;
}

/** Reads a file, by its name from the root. */
type Read = (file: string) => string;

interface Source {
  readonly file: string;
  readonly text: string;
  readonly parsed: ReturnType<typeof parseSync>;
}

/** Finds all regular expressions of a file, in the order of the text. */
export function findExpressions(file: string, read: Read): FoundExpression[] {
  const source = parse(file, read);
  const exceptions = exceptionsOf(source);
  const found: FoundExpression[] = [];
  const add = ({ start, end }: { readonly start: number; readonly end: number }, pattern?: Pattern) => {
    const line = lineOf(source, start);
    const exception = exceptions.get(line) ?? exceptions.get(line - 1);
    found.push({ file, line, text: source.text.slice(start, end), pattern, exception });
  };
  const addCall = (node: {
    callee: Expression;
    arguments: readonly unknown[];
    start: number;
    end: number;
  }) => {
    if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
    const [pattern, flags] = node.arguments.map((value) => evaluate(value as Expression, source, read));
    const isConstant =
      typeof pattern === "string" && (node.arguments.length < 2 || typeof flags === "string");
    add(node, isConstant ? { source: pattern, flags: String(flags ?? "") } : undefined);
  };
  new Visitor({
    Literal: (node) => {
      if ("regex" in node) add(node, { source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: addCall,
    CallExpression: addCall,
  }).visit(source.parsed.program);
  return found;
}

function parse(file: string, read: Read): Source {
  const text = read(file);
  return { file, text, parsed: parseSync(file, text) };
}

function lineOf({ text }: Source, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

/** The comments that name bounds, by their lines. */
function exceptionsOf(source: Source): ReadonlyMap<number, string> {
  const comments = source.parsed.comments.filter(({ value }) => value.trim().startsWith("linear:"));
  return new Map(
    comments.map(({ start, value }) => [lineOf(source, start), value.trim().slice("linear:".length)]),
  );
}

/** The value of a constant expression; undefined for any other one. */
function evaluate(node: Expression, source: Source, read: Read): string | number | Pattern | undefined {
  switch (node.type) {
    case "Literal":
      if ("regex" in node) return { source: node.regex.pattern, flags: node.regex.flags };
      return typeof node.value === "string" || typeof node.value === "number" ? node.value : undefined;
    case "TemplateLiteral": {
      const values = node.expressions.map((expression) => evaluate(expression, source, read));
      if (values.some((value) => typeof value !== "string" && typeof value !== "number")) return undefined;
      return node.quasis.map(({ value }, i) => `${value.cooked}${values[i] ?? ""}`).join("");
    }
    case "TaggedTemplateExpression":
      // `String.raw` without values.
      return source.text.slice(node.tag.start, node.tag.end) === "String.raw" &&
        node.quasi.expressions.length === 0
        ? node.quasi.quasis[0]?.value.raw
        : undefined;
    case "MemberExpression": {
      const of = evaluate(node.object, source, read);
      return typeof of === "object" && node.property.type === "Identifier" && node.property.name === "source"
        ? of.source
        : undefined;
    }
    case "Identifier":
      return constantOf(node.name, source, read);
    default:
      return undefined;
  }
}

/** The value of a constant of a module, which can be imported from another one. */
function constantOf(name: string, source: Source, read: Read): ReturnType<typeof evaluate> {
  for (const statement of source.parsed.program.body) {
    if (statement.type === "ImportDeclaration") {
      const from = statement.specifiers.find(({ local }) => local.name === name);
      if (from === undefined || !statement.source.value.startsWith(".")) continue;
      return constantOf(name, parse(join(dirname(source.file), statement.source.value), read), read);
    }
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration" || declared.kind !== "const") continue;
    const constant = declared.declarations.find(({ id }) => id.type === "Identifier" && id.name === name);
    if (constant?.init != null) return evaluate(constant.init, source, read);
  }
  return undefined;
}
