/**
 * The service that the Images binding of a Worker calls over HTTP: `POST /transform` and `POST /info` (forms, headers and
 * texts `observed`, from the published runtime). Each request is replayed as calls of the binding in this process.
 */
import {
  anyObject,
  aString,
  objectWith,
  optionsOf,
  requireArgument,
  requireArguments,
} from "../core/arguments.ts";
import { resolveImageLimits } from "../engine/images/limits.ts";
import type { TextOptions } from "../engine/images/text/read-text.ts";
import { ApiError, type Code, problem, quote } from "../errors.ts";
import { BindingError } from "../service/images/binding/binding-error.ts";
import {
  type ImageOutputOptions,
  type ImagesBindingFetchOptions,
  type ImageTransformations,
  type ImageTransformer,
  imageTransformations,
  transformationOptions,
} from "../service/images/binding/images-binding.ts";
import { bindingErrorHeader } from "./endpoints/endpoint.ts";
import {
  type BindingMethod,
  readInfoForm,
  readTransformForm,
  type TransformForm,
} from "./requests/binding-form.ts";
import { addWarnings, imageErrorResponse, imageHeaders } from "./responses/transform-answers.ts";

/** A binding that reports options without effect to the function. */
type OpenBinding = (onWarning: (message: string) => void) => ImageTransformations;

/** Answers a request of the binding. Rejects only for errors that are not those of the request. */
export async function answerBinding(
  method: BindingMethod,
  request: Request,
  open: OpenBinding,
): Promise<Response> {
  const warnings: string[] = [];
  const binding = open((message) => void warnings.push(message));
  try {
    const response = await answers[method](request, binding);
    addWarnings(response.headers, warnings);
    return response;
  } catch (error) {
    const found = problemOf(error);
    if (!found) throw error;
    return imageErrorResponse(found, { imageErrorHeader: bindingErrorHeader });
  }
}

const answers: Readonly<
  Record<BindingMethod, (request: Request, binding: ImageTransformations) => Promise<Response>>
> = {
  info: async (request, binding) => {
    const info = await binding.info((await readInfoForm(request)).stream());
    if (!("fileSize" in info)) return Response.json(info);
    const { fileSize, ...others } = info;
    return Response.json({ ...others, file_size: fileSize });
  },
  transform: async (request, binding) => {
    const form = await readTransformForm(request);
    // Strings are checked as those of a Worker are.
    const result = await replay(form, binding).output(form.output as object as ImageOutputOptions);
    const bytes = new Uint8Array(await result.response().arrayBuffer());
    return new Response(bytes, { headers: imageHeaders(bytes, result.contentType()) });
  },
};

/** The calls of the Worker, in an order with the same result. */
function replay({ sources, operations }: TransformForm, binding: ImageTransformations): ImageTransformer {
  const transformers = sources.map((source) =>
    "image" in source
      ? binding.input(source.image.stream())
      : // Checked as those of a Worker are.
        binding.text(source.text, source.options as object as TextOptions),
  );
  const at = (index: number) => transformers[index] as ImageTransformer;
  for (const { target, drawn, options } of operations)
    if (drawn === undefined) at(target).transform(options);
    else at(target).draw(at(drawn), options);
  return at(0);
}

function problemOf(error: unknown): { readonly code: Code; readonly message: string } | undefined {
  if (error instanceof BindingError) return error.problem;
  return error instanceof ApiError ? error.problems[0] : undefined;
}

const fetchOptions = optionsOf<ImagesBindingFetchOptions>("createImagesBindingFetch", transformationOptions);

const aRequest = objectWith({ method: aString, url: aString, headers: anyObject });

const methods: Readonly<Record<string, BindingMethod>> = { "/transform": "transform", "/info": "info" };

/**
 * A fetch handler that the Images binding of a Worker inside workerd can use as its service: the binding is the runtime's own,
 * and `imagesBinding` transforms in this process. Options without effect are also headers `warning` of its answers.
 *
 * @returns a handler that answers errors as the service does, with a status, a text and a header with the code
 * @example
 * ```ts
 * const handle = createImagesBindingFetch();
 * const form = new FormData();
 * const pixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
 * form.append("image", new Blob([pixel]));
 * const response = await handle(new Request("https://any.example/info", { method: "POST", body: form }));
 * (await response.json()).format; // => "image/gif"
 * ```
 */
export function createImagesBindingFetch(
  options: ImagesBindingFetchOptions = {},
): (request: Request) => Promise<Response> {
  requireArgument("options", options, fetchOptions);
  const limits = resolveImageLimits(options.limits);
  return async (request) => {
    requireArguments({ request: [request, aRequest] });
    const { pathname } = new URL(request.url);
    const method = Object.hasOwn(methods, pathname) ? methods[pathname] : undefined;
    if (method === undefined || request.method !== "POST") return misdirected(request.method, pathname);
    return answerBinding(method, request, (report) =>
      imageTransformations({
        ...options,
        limits,
        onWarning: (message) => {
          report(message);
          options.onWarning?.(message);
        },
      }),
    );
  };
}

function misdirected(method: string, path: string): Response {
  const allowed = Object.keys(methods).map((name) => `POST ${name}`);
  const message = `The request must be ${allowed.join(" or ")}; found ${quote(`${method} ${path}`)}.`;
  return imageErrorResponse(problem(9523, message), { imageErrorHeader: bindingErrorHeader });
}
