/** The file of `--variants`: an object of variants by name. */
import { checkVariantOptions, type VariantOptions } from "../../engine/images/render/variant.ts";
import { quote } from "../../errors.ts";
import { type Io, UsageError } from "../command.ts";
import { readJsonInput } from "../input/files.ts";
import { type NamedVariant, variantOf } from "./named-variant.ts";

/** Variant ids (`docs/interface/images.md`, Variants). */
const variantName = /^[\w-]{1,99}$/;
const maxVariants = 100;

/** @throws {UsageError} with every problem */
export async function readVariantsFile(path: string, io: Io): Promise<readonly NamedVariant[]> {
  const json = await readJsonInput(path, io);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new UsageError(`${path} must be an object of variants by name`);
  const entries = Object.entries(json);
  if (entries.length === 0 || entries.length > maxVariants)
    throw new UsageError(`${path} must have 1 to ${maxVariants} variants; found ${entries.length}`);
  const problems = entries.flatMap(([name, options]) => findProblems(name, options));
  if (problems.length > 0) throw new UsageError(`${path}: ${problems.join("\n  ")}`);
  return entries.map(([name, options]) => variantOf(name, options as VariantOptions));
}

function findProblems(name: string, options: unknown): string[] {
  if (!variantName.test(name))
    return [`the name of a variant must be 1 to 99 letters, digits, \`_\` or \`-\`; found ${quote(name)}`];
  const problems = checkVariantOptions(options, { complete: false, at: `/${name}` });
  return problems.map(({ message, pointer = `/${name}` }) => `${pointer}: ${message}`);
}
