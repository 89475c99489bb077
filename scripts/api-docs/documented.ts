/** Reports public exports, the types that these mention, and their members without a docstring. All of them have one. */
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile);
const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
const program = ts.createProgram(fileNames, options);
const checker = program.getTypeChecker();

interface Named {
  readonly symbol: ts.Symbol;
  readonly name: string;
}

/** Everything that the entries export, the types that it mentions, each once, and their members. */
function publicNames(): Named[] {
  const entries = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${root}/src/entries/`));
  const symbols = new Set(
    entries.flatMap((entry) => {
      const module = checker.getSymbolAtLocation(entry);
      return module ? checker.getExportsOfModule(module).map(originOf) : [];
    }),
  );
  for (const type of [...symbols].flatMap(typesIn)) symbols.add(type);
  return [...symbols]
    .filter(isOurs)
    .flatMap((symbol) => [{ symbol, name: symbol.name }, ...membersOf(symbol)]);
}

function originOf(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The types that an interface or a type mentions. */
function typesIn(symbol: ts.Symbol): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    const type = ts.isTypeReferenceNode(node) && checker.getSymbolAtLocation(node.typeName);
    if (type && !(type.flags & ts.SymbolFlags.TypeParameter)) found.push(originOf(type));
    ts.forEachChild(node, visit);
  };
  for (const declaration of isOurs(symbol) ? (symbol.declarations ?? []) : [])
    if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) visit(declaration);
  return found;
}

function isOurs(symbol: ts.Symbol): boolean {
  return symbol.declarations?.[0]?.getSourceFile().fileName.startsWith(`${root}/src/`) ?? false;
}

function membersOf(symbol: ts.Symbol): Named[] {
  return (symbol.declarations ?? []).flatMap((declaration) => {
    if (ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration))
      return namedMembers(declaration.members, symbol.name);
    return ts.isTypeAliasDeclaration(declaration) ? membersOfType(declaration.type, symbol.name) : [];
  });
}

function membersOfType(type: ts.TypeNode, owner: string): Named[] {
  if (ts.isTypeLiteralNode(type)) return namedMembers(type.members, owner);
  if (ts.isUnionTypeNode(type) || ts.isIntersectionTypeNode(type))
    return type.types.flatMap((part) => membersOfType(part, owner));
  return [];
}

function namedMembers(members: readonly (ts.TypeElement | ts.ClassElement)[], owner: string): Named[] {
  return members.flatMap((member) => {
    const symbol = member.name && !isPrivate(member) && checker.getSymbolAtLocation(member.name);
    if (!symbol || !member.name) return [];
    const name = `${owner}.${member.name.getText()}`;
    const inner = ts.isPropertySignature(member) && member.type ? membersOfType(member.type, name) : [];
    return [{ symbol, name }, ...inner];
  });
}

function isPrivate(member: ts.TypeElement | ts.ClassElement): boolean {
  return (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) !== 0;
}

function locationOf({ declarations: [first] = [] }: ts.Symbol): string {
  if (!first) return "";
  const { fileName } = first.getSourceFile();
  const { line } = first.getSourceFile().getLineAndCharacterOfPosition(first.getStart());
  return `${relative(root, fileName)}:${line + 1}`;
}

const names = publicNames();
const silent = names.filter(({ symbol }) => symbol.getDocumentationComment(checker).length === 0);
for (const { symbol, name } of silent) console.log(`${locationOf(symbol)}  ${name} has no docstring`);
console.log(`${names.length - silent.length} of ${names.length} public exports and members are documented`);
if (silent.length > 0) process.exitCode = 1;
