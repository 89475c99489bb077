/** The names of rendered files: the folder structure of the input, with the name of the variant and a new extension. */
import { basename, dirname, extname, join, relative } from "node:path";

/** The extension of each media type. */
const extensions: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
};

/** Names the outputs of files; where two files in a folder differ only in their extension, it stays in the name. */
export function createOutputNames(root: string, files: readonly string[]) {
  const stems = new Map<string, number>();
  for (const file of files) {
    const stem = stemOf(file).toLowerCase();
    stems.set(stem, (stems.get(stem) ?? 0) + 1);
  }
  return (file: string, variant: string | undefined, contentType: string): string => {
    const stem = stemOf(file);
    const isAmbiguous = (stems.get(stem.toLowerCase()) ?? 0) > 1;
    const name = relative(root, isAmbiguous ? file : stem) || basename(stem);
    const extension = extensions[contentType] ?? contentType.replace(/^image\//, "");
    return `${name}${variant === undefined ? "" : `-${variant}`}.${extension}`;
  };
}

function stemOf(file: string): string {
  return join(dirname(file), basename(file, extname(file)));
}
