/** Declarations that name the types of optional packages: without the package they are `any`, not an error. */
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
};

const optional = Object.entries(manifest.peerDependenciesMeta).flatMap(([name, { optional }]) =>
  optional ? [name] : [],
);

const imports = new RegExp(`^import [^;]*? from "(?:${optional.join("|")})";$`, "gm");

/** The declarations with a word to the compiler before each import that may lead nowhere. */
export function allowMissing(declarations: string): string {
  return declarations.replace(imports, "// @ts-ignore: an optional package\n$&");
}
