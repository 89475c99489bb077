/** Reads the forms that the Images binding of a Worker sends (parts `observed`, from the published runtime; other limits chosen). */
import { isJsonObject } from "../../core/json-value.ts";
import { ApiError, problem, quote } from "../../errors.ts";
import { inputTooLarge, maxInputBytes } from "../../service/images/binding/read-input.ts";
import { type FormPart, type FormRules, overheadBytes, readParts } from "./multipart.ts";

const codes = { type: 9523, size: 9413, other: 9523 } as const;

/** Maximum size of a request, in bytes. */
const maxRequestBytes = 100_000_000;

/** Maximum number of pictures to draw, and of texts. */
const maxDrawn = 100;

/** Maximum number of operations, and maximum size of their JSON in bytes. */
const maxOperations = { count: 1_000, bytes: 1_048_576 } as const;

/** A part: whether it is a file, the maximum of its bytes, and how often a form may have it. */
interface PartRule {
  readonly isInput?: true;
  readonly maxBytes: number;
  readonly max: number;
}

const input: PartRule = { isInput: true, maxBytes: maxInputBytes, max: 1 };
const text: PartRule = { maxBytes: overheadBytes, max: 1 };

const parts = {
  info: { image: input },
  transform: {
    image: input,
    text_input: text,
    draw_image: { ...input, max: maxDrawn },
    draw_text: { ...text, max: maxDrawn },
    transforms: { ...text, maxBytes: maxOperations.bytes },
    output_format: text,
    output_quality: text,
    background: text,
    anim: text,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, PartRule>>>>;

/** The methods of the binding that send a form. */
export type BindingMethod = keyof typeof parts;

/** A picture, or a text with its options. */
export type DrawnSource =
  | { readonly image: Blob }
  | { readonly text: string; readonly options: Readonly<Record<string, unknown>> };

/** An operation on the source with an index: options of a transformation, or a source to draw with its placement. */
export interface IndexedOperation {
  readonly target: number;
  /** Absent: a transformation. */
  readonly drawn?: number;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A call of `output` with those before it. */
export interface TransformForm {
  /** The image itself is the first. */
  readonly sources: readonly DrawnSource[];
  readonly operations: readonly IndexedOperation[];
  /** Options of the output, as strings. */
  readonly output: Readonly<Record<"format" | "quality" | "background" | "anim", string | undefined>>;
}

/** The image of a form. @throws {ApiError} 9413 too large, 9523 anything else */
export async function readInfoForm(request: Request): Promise<Blob> {
  const read = await readParts(request, rulesOf("info"));
  return blobOf(read.find(({ name }) => name === "image") ?? missing("image"));
}

/** The operations of a form. @throws {ApiError} 9413 too large, 9525 a source that was drawn already, 9523 anything else */
export async function readTransformForm(request: Request): Promise<TransformForm> {
  const read = await readParts(request, rulesOf("transform"));
  const textOf = (name: string) => read.filter((part) => part.name === name).map(decode)[0];
  const [base, other] = read.filter(({ name }) => name === "image" || name === "text_input");
  if (!base || other)
    throw malformed(`The form must have a part \`image\` or \`text_input\`${other ? "; it has both" : ""}.`);
  const drawn = read.filter(({ name }) => name === "draw_image" || name === "draw_text");
  const sources = [base, ...drawn].map(sourceOf);
  return {
    sources,
    operations: readOperations(textOf("transforms") ?? missing("transforms"), sources.length),
    output: {
      format: textOf("output_format"),
      quality: textOf("output_quality"),
      background: textOf("background"),
      anim: textOf("anim"),
    },
  };
}

function rulesOf(method: BindingMethod): FormRules {
  const allowed: Readonly<Record<string, PartRule>> = parts[method];
  return {
    codes,
    maxBytes: maxRequestBytes,
    maxPartBytes: maxInputBytes,
    check: ({ name, index }) => {
      if (!Object.hasOwn(allowed, name))
        return malformed(`The parts must be ${Object.keys(allowed).join(", ")}; found ${quote(name)}.`);
      const { max } = allowed[name] as PartRule;
      if (index < max) return undefined;
      return malformed(`The form must have at most ${max} of the part \`${name}\`; it has more.`);
    },
    checkSize: (name, size) => {
      const rule = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
      if (!rule || size <= rule.maxBytes) return undefined;
      if (rule.isInput) return new ApiError(problem(inputTooLarge.code, inputTooLarge.message));
      return malformed(`The part \`${name}\` must have at most ${rule.maxBytes} bytes; it has more.`);
    },
  };
}

function sourceOf(part: FormPart): DrawnSource {
  if (part.name === "image" || part.name === "draw_image") return { image: blobOf(part) };
  const value = readJson(part.name, decode(part));
  if (!isJsonObject(value)) throw malformed(`\`${part.name}\` must be a JSON object; found ${quote(value)}.`);
  const { text: content, ...options } = value;
  if (typeof content === "string") return { text: content, options };
  throw malformed(`\`text\` of \`${part.name}\` must be a string; found ${quote(content)}.`);
}

/** The operations in their order; a source that was drawn is used up, so that no two are drawn on each other. */
function readOperations(json: string, count: number): IndexedOperation[] {
  const values = readJson("transforms", json);
  if (!Array.isArray(values)) throw malformed(`\`transforms\` must be a JSON array; found ${quote(values)}.`);
  if (values.length > maxOperations.count)
    throw malformed(
      `\`transforms\` must have at most ${maxOperations.count} elements; found ${values.length}.`,
    );
  const used = new Set<number>();
  const operations = values.map((value: unknown, at) => {
    const operation = readOperation(value, at, count);
    for (const index of [operation.target, operation.drawn ?? 0])
      if (used.has(index)) throw usedUp(at, index);
    if (operation.drawn !== undefined) used.add(operation.drawn);
    return operation;
  });
  for (let index = 1; index < count; index++)
    if (!used.has(index)) throw malformed(`No element of \`transforms\` draws image ${index}.`);
  return operations;
}

function readOperation(value: unknown, at: number, count: number): IndexedOperation {
  if (!isJsonObject(value))
    throw malformed(`\`transforms[${at}]\` must be an object; found ${quote(value)}.`);
  const { imageIndex, drawImageIndex, targetImageIndex, ...options } = value;
  const indexOf = (name: string, index: unknown, min: number): number => {
    if (typeof index === "number" && Number.isInteger(index) && index >= min && index < count) return index;
    const allowed =
      count > min ? `an integer from ${min} to ${count - 1}` : "absent, since there is nothing to draw";
    throw malformed(`\`transforms[${at}].${name}\` must be ${allowed}; found ${quote(index)}.`);
  };
  // Earlier runtimes have no drawing and no index.
  if (drawImageIndex === undefined && targetImageIndex === undefined)
    return { target: imageIndex === undefined ? 0 : indexOf("imageIndex", imageIndex, 0), options };
  if (imageIndex !== undefined)
    throw malformed(
      `\`transforms[${at}]\` must have \`imageIndex\`, or \`drawImageIndex\` and \`targetImageIndex\`; it has both.`,
    );
  const drawn = indexOf("drawImageIndex", drawImageIndex, 1);
  const target = indexOf("targetImageIndex", targetImageIndex, 0);
  if (drawn !== target) return { target, drawn, options };
  throw malformed(`\`transforms[${at}]\` draws image ${drawn} on itself.`);
}

function usedUp(at: number, index: number): ApiError {
  return new ApiError(
    problem(9525, `\`transforms[${at}]\` uses image ${index}, which an element before it has drawn already.`),
  );
}

function readJson(name: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw malformed(`\`${name}\` must be JSON; found ${quote(json)}.`);
  }
}

function decode({ name, chunks }: FormPart): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw malformed(`The part \`${name}\` is not UTF-8.`);
  }
}

function blobOf({ chunks }: FormPart): Blob {
  return new Blob(chunks as readonly Uint8Array<ArrayBuffer>[] as Uint8Array<ArrayBuffer>[]);
}

function missing(name: string): never {
  throw malformed(`The form must have a part \`${name}\`; it is missing.`);
}

function malformed(message: string): ApiError {
  return new ApiError(problem(codes.other, message));
}
