/** How typedoc reads the sources: what each entry exports, with its docstrings. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  Application,
  Context,
  Converter,
  type Reflection,
  ReflectionKind,
  type TypeDocOptions,
} from "typedoc";
import ts from "typescript";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** Shows a type of this project that no entry exports where it is used. */
export function inlineUnexported(app: Application): void {
  const exported = new Set<ts.Symbol>();
  app.converter.on(Converter.EVENT_BEGIN, ({ programs }) => {
    for (const program of programs) for (const symbol of exportsOf(program)) exported.add(symbol);
  });
  Context.prototype.shouldInline = function (symbol) {
    const origin = this.resolveAliasedSymbol(symbol);
    return isOurs(origin) && showsItsMembers(origin) && !exported.has(origin) && !isInVariable(this.scope);
  };
}

/** The exports of the entries. */
function exportsOf(program: ts.Program): readonly ts.Symbol[] {
  const checker = program.getTypeChecker();
  return program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${root}/src/entries/`))
    .flatMap((entry) => checker.getExportsOfModule(checker.getSymbolAtLocation(entry)!))
    .map((symbol) => checker.getAliasedSymbol(symbol));
}

function isOurs({ declarations: [first] = [] }: ts.Symbol): boolean {
  return first?.getSourceFile().fileName.startsWith(`${root}/src/`) ?? false;
}

/** An interface, a type literal or a union; a computed type would show members of strings and arrays. */
function showsItsMembers({ declarations: [first] = [] }: ts.Symbol): boolean {
  if (!first) return false;
  if (!ts.isTypeAliasDeclaration(first)) return ts.isInterfaceDeclaration(first);
  return ts.isTypeLiteralNode(first.type) || ts.isUnionTypeNode(first.type);
}

/** Whether it is in a table: there the name of the type is shown, not its members once for every entry. */
function isInVariable(scope: Reflection | undefined): boolean {
  return scope !== undefined && (scope.kindOf(ReflectionKind.Variable) || isInVariable(scope.parent));
}

/** The entries in the order of `package.json`, which starts with what a newcomer needs. */
function entries(): string[] {
  const { exports } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
  return Object.values(exports as Record<string, { readonly types?: string }>)
    .flatMap(({ types }) => types ?? [])
    .map((types) => types.replace("./dist/", `${root}/src/`).replace(/\.d\.ts$/, ".ts"));
}

export const groupOrder = ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables"];

/** Options of the reader. */
const common = {
  entryPoints: entries(),
  sortEntryPoints: false,
  // The entries and what they import: no tests, commands or scripts.
  tsconfig: `${root}/scripts/api-docs/tsconfig.json`,
  name: "edgeproof",
  disableSources: true,
  hideGenerator: true,
  // `npm run check:types` has checked them, with the project's own compiler.
  skipErrorChecking: true,
  validation: { invalidLink: true, notExported: false },
  // Within a kind in the order of the entry file, which starts with what a newcomer needs.
  sort: ["kind"],
  groupOrder,
  logLevel: "Warn",
} satisfies TypeDocOptions;

/** Reads the sources, and writes the outputs of the options. Returns the numbers of warnings and errors. */
export async function convertSources(
  options: TypeDocOptions,
  prepare: (app: Application) => void,
): Promise<number> {
  const app = await Application.bootstrapWithPlugins({ ...common, ...options });
  prepare(app);
  const project = await app.convert();
  if (!project) throw new Error("typedoc could not read the sources.");
  await app.generateOutputs(project);
  return app.logger.warningCount + app.logger.errorCount;
}
