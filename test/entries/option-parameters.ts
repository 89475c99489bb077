/** The parameters of public functions that are objects of options, as the compiler sees them. */
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { API, type Checker, SignatureKind, SymbolFlags, type Type } from "typescript/unstable/sync";

/** A parameter whose type is an object with optional members. */
export interface OptionParameter {
  /** Of an exported function, or of a method of what one returns, such as `compileQueries().scan`. */
  readonly path: string;
  readonly parameter: string;
  readonly index: number;
  /** Name of the type, as in the source. */
  readonly type: string;
  readonly names: readonly string[];
  /** The members that are objects with optional members themselves. */
  readonly groups: readonly { readonly member: string; readonly type: string }[];
}

/** Maximum number of calls and members between an entry and a method. */
const maxDepth = 5;

/** All of them, each type of what functions return once. */
export function optionParameters(): readonly OptionParameter[] {
  const api = new API({ cwd: process.cwd() });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [resolve("tsconfig.build.json")] });
    const [project] = snapshot.getProjects();
    if (!project) throw new Error("the project cannot be opened");
    const { program, checker } = project;
    const walk = createWalk(checker);
    for (const entry of entryFiles()) {
      const file = program.getSourceFile(resolve("src/entries", entry));
      const module = file && checker.getSymbolAtLocation(file);
      if (!module) throw new Error(`${entry} is not part of the project`);
      for (const exported of checker.getExportsOfModule(module)) {
        const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
        const type = symbol.flags & SymbolFlags.Value ? checker.getTypeOfSymbol(symbol) : undefined;
        if (type) walk.visit(exported.name, type, 0);
      }
    }
    return walk.found;
  } finally {
    api.close();
  }
}

/** The entries; those that a test can use without a server are first. */
function entryFiles(): readonly string[] {
  const files = readdirSync("src/entries", { recursive: true, encoding: "utf8" });
  const needsServer = (file: string) => Number(/postgres|jetstream/.test(file));
  return files
    .filter((file) => file.endsWith(".ts"))
    .sort((a, b) => needsServer(a) - needsServer(b) || (a < b ? -1 : 1));
}

function createWalk(checker: Checker) {
  const found: OptionParameter[] = [];
  const seen = new Set<number>();
  const paths = new Set<string>();

  function visit(path: string, type: Type, depth: number): void {
    if (depth > maxDepth) return;
    for (const part of type.isUnionType() ? type.getTypes() : [type]) visitObject(path, part, depth);
  }

  function visitObject(path: string, type: Type, depth: number): void {
    if (!type.isObjectType() && !type.isIntersectionType()) return;
    if (isWrapper(type)) {
      for (const argument of type.isTypeReference() ? checker.getTypeArguments(type) : [])
        visit(path, argument, depth);
      return;
    }
    if (!isOurs(type) || seen.has(type.id)) return;
    seen.add(type.id);
    for (const kind of [SignatureKind.Call, SignatureKind.Construct]) visitCalls(path, type, kind, depth);
    for (const member of checker.getPropertiesOfType(type)) {
      const own = checker.getTypeOfSymbol(member);
      if (own) visit(`${path}.${member.name}`, own, depth + 1);
    }
  }

  function visitCalls(path: string, type: Type, kind: SignatureKind, depth: number): void {
    for (const signature of checker.getSignaturesOfType(type, kind)) {
      for (const [index, parameter] of signature.getParameters().entries()) {
        const own = checker.getTypeOfSymbol(parameter);
        for (const options of own ? objectsIn(own) : []) add(path, parameter.name, index, options);
      }
      const result = kind === SignatureKind.Call ? checker.getReturnTypeOfSignature(signature) : undefined;
      if (result) visit(`${path}()`, result, depth + 1);
    }
  }

  function add(path: string, parameter: string, index: number, type: Type): void {
    const name = nameOf(type);
    const key = `${path}(${parameter}: ${name})`;
    if (paths.has(key)) return;
    paths.add(key);
    const members = checker.getPropertiesOfType(type);
    const groups = members.flatMap((member) => {
      const own = checker.getTypeOfSymbol(member);
      const objects = own && !isWrapper(own) ? objectsIn(own) : [];
      return objects.map((object) => ({ member: member.name, type: nameOf(object) }));
    });
    found.push({ path, parameter, index, type: name, names: members.map((member) => member.name), groups });
  }

  /** The object types with optional members in a type; of arrays, those of the elements. */
  function objectsIn(type: Type): readonly Type[] {
    if (type.isUnionType())
      return type.getTypes().flatMap((part) => (isWrapper(part) ? [] : objectsIn(part)));
    if (!type.isObjectType() && !type.isIntersectionType()) return [];
    const isFunction = checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;
    const members = isFunction || isWrapper(type) ? [] : checker.getPropertiesOfType(type);
    const isOption = members.some((member) => member.flags & SymbolFlags.Optional);
    return isOption && isOurs(members[0]) ? [type] : [];
  }

  function isWrapper(type: Type): boolean {
    return checker.isArrayLikeType(type) || type.getSymbol()?.name === "Promise";
  }

  function nameOf(type: Type): string {
    return checker.typeToString(type);
  }

  return { found, visit };
}

/** Whether a type or a member is declared in this project. */
function isOurs(of: Type | ReturnType<Checker["getPropertiesOfType"]>[number] | undefined): boolean {
  if (of === undefined) return false;
  const symbols = "declarations" in of ? [of] : [of.getAliasSymbol(), of.getSymbol()];
  const paths = symbols.flatMap((symbol) => symbol?.declarations.map(({ path }) => String(path)) ?? []);
  return paths.some((path) => path.includes("/src/") && !path.includes("node_modules"));
}
