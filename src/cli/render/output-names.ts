/**
 * The names of rendered files: the folder structure of the input, with the name of the variant and the extension of the
 * output. The input's extension is dropped only when it is the output's, so that no name depends on other files.
 */
import { basename, dirname, extname, join, relative } from "node:path";
import { renditionTypes } from "../../engine/images/sniff.ts";

/** The extension of each media type that is not the last part of its name. */
const extensions: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "application/json": "json",
};

/** Extensions of all outputs. */
export const outputExtensions = [...renditionTypes, "application/json"].map(extensionOf);

/** The parts of the name of an output. */
export interface NamedOutput {
  /** Path of the input. */
  readonly file: string;
  readonly variant: string | undefined;
  /** Extension, without a dot. */
  readonly extension: string;
}

/** The extension of files of a media type, without a dot. */
export function extensionOf(contentType: string): string {
  return extensions[contentType] ?? contentType.replace(/^image\//, "");
}

/** The names of the outputs of a run, relative to the output folder. */
export interface OutputNames {
  readonly nameOf: (output: NamedOutput) => string;
  /** The name that earlier versions used: without the input's extension, unless another input has the same stem. */
  readonly earlierNameOf: (output: NamedOutput) => string;
}

/** @param root the folder of the inputs; undefined for a single file */
export function createOutputNames(root: string | undefined, files: readonly string[]): OutputNames {
  const stems = new Map<string, number>();
  for (const file of files) {
    const stem = stemOf(file).toLowerCase();
    stems.set(stem, (stems.get(stem) ?? 0) + 1);
  }
  return {
    nameOf: (output) => {
      const { file, extension } = output;
      return nameOf(root, extname(file) === `.${extension}` ? stemOf(file) : file, output);
    },
    earlierNameOf: (output) => {
      const isAmbiguous = (stems.get(stemOf(output.file).toLowerCase()) ?? 0) > 1;
      return nameOf(root, isAmbiguous ? output.file : stemOf(output.file), output);
    },
  };
}

function nameOf(
  root: string | undefined,
  file: string,
  { variant, extension }: Pick<NamedOutput, "variant" | "extension">,
): string {
  const name = root === undefined ? basename(file) : relative(root, file);
  return `${name}${variant === undefined ? "" : `-${variant}`}.${extension}`;
}

function stemOf(file: string): string {
  return join(dirname(file), basename(file, extname(file)));
}

/** Two outputs of the same name: their descriptions, and the name. */
export interface NameCollision {
  readonly name: string;
  readonly outputs: readonly [string, string];
}

/** The first name that two of the possible outputs have; which format an output will have is not known before. */
export function findCollision(
  { nameOf }: OutputNames,
  files: readonly string[],
  variants: readonly (string | undefined)[],
): NameCollision | undefined {
  const outputs = new Map<string, string>();
  for (const file of files) {
    for (const variant of variants) {
      const described = variant === undefined ? file : `${file} (${variant})`;
      for (const extension of outputExtensions) {
        const name = nameOf({ file, variant, extension });
        const other = outputs.get(name);
        if (other !== undefined) return { name, outputs: [other, described] };
        outputs.set(name, described);
      }
    }
  }
  return undefined;
}
