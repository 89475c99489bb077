/** Renders every image of a folder through every variant. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { pathToFileURL } from "node:url";
import { checkVariantOptions, renderVariant, type VariantOptions, validateImage } from "edgeproof/images";

/** The outcome of an image and a variant. */
export interface Rendered {
  readonly picture: string;
  readonly variant: string;
  /** Absent when the image was rejected. */
  readonly file?: string;
  readonly size?: string;
  readonly bytes?: number;
  /** Code and message of a rejection. */
  readonly problem?: string;
}

/** The Accept header of a browser. */
const accept = "image/webp,image/*;q=0.8";

/** Variants by name, checked. @throws {Error} with every problem */
export function readVariants(json: unknown): Readonly<Record<string, VariantOptions>> {
  const variants = Object.entries(json as Record<string, unknown>);
  const problems = variants.flatMap(([name, options]) =>
    checkVariantOptions(options, { complete: true, at: `/${name}` }),
  );
  if (problems.length > 0) throw new Error(problems.map((p) => `${p.pointer}: ${p.message}`).join("\n"));
  return json as Record<string, VariantOptions>;
}

export async function renderAll(
  variants: Readonly<Record<string, VariantOptions>>,
  from: string,
  to: string,
): Promise<Rendered[]> {
  await mkdir(to, { recursive: true });
  const rendered: Rendered[] = [];
  for (const picture of (await readdir(from)).sort()) {
    const bytes = await readFile(join(from, picture));
    const validated = await validateImage(bytes);
    for (const [variant, options] of Object.entries(variants)) {
      const rendering = validated.ok ? await renderVariant(bytes, options, { accept }) : validated;
      if (!rendering.ok) {
        const { code, message } = rendering.problems[0];
        rendered.push({ picture, variant, problem: `${code} ${message}` });
        continue;
      }
      const { bytes: output, contentType, width, height } = rendering.value;
      const file = `${parse(picture).name}-${variant}.${contentType.replace(/^image\/|\+xml$/g, "")}`;
      await writeFile(join(to, file), output);
      rendered.push({ picture, variant, file, size: `${width} x ${height}`, bytes: output.byteLength });
    }
  }
  return rendered;
}

async function main([variantsFile, from, to]: readonly string[]): Promise<void> {
  if (variantsFile === undefined || from === undefined || to === undefined) {
    console.error("expected a file of variants, a folder of pictures and a folder to write to");
    process.exitCode = 2;
    return;
  }
  const variants = readVariants(JSON.parse(await readFile(variantsFile, "utf8")));
  const rendered = await renderAll(variants, from, to);
  for (const { picture, variant, file, size, bytes, problem } of rendered)
    console.log(
      problem
        ? `${picture} ${variant}: ${problem}`
        : `${picture} ${variant}: ${file}, ${size}, ${bytes} bytes`,
    );
  process.exitCode = rendered.some(({ problem }) => problem) ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main(process.argv.slice(2));
