/**
 * The catalogue of error codes, and the types of errors.
 *
 * The `source` of a code is `spec` (the interface specification's Errors section), `observed` (the real service's
 * public documentation, schema or client libraries) or `chosen` (decided by this project, where both are silent).
 * The only import is the type of diagnostics.
 */
import type { Diagnostic } from "./core/diagnostic.ts";
import { quote } from "./core/text/quote.ts";

export { alternatives, counted, quote, quoteChange } from "./core/text/quote.ts";

/** Origin of a decision. */
export type Source = "spec" | "observed" | "chosen";

/** The four areas of the interface, and `shared` for all of them. */
export type Area = "shared" | "tokens" | "brand" | "images" | "proxy";

interface CatalogueEntry {
  readonly name: string;
  readonly area: Area;
  /** HTTP status; 10002 also answers 503 when a dependency is unavailable. */
  readonly status: number;
  readonly source: Source;
  /** Id of the rule: that of diagnostics with the code which no check of its own finds. */
  readonly rule: string;
}

function entry(area: Area, status: number, source: Source, name: string): CatalogueEntry {
  const rule = (area === "shared" ? name : `${area} ${name}`).toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return { name, area, status, source, rule };
}

/** Every error code of a response, with its name, area, HTTP status and source. */
export const catalogue = {
  // Shared by every area.
  10002: entry("shared", 500, "spec", "Unexpected internal error"),
  971: entry("shared", 429, "observed", "Please wait and consider throttling your request speed"),
  6003: entry("shared", 401, "observed", "Invalid request headers"),
  6007: entry("shared", 400, "observed", "Malformed JSON in request body"),
  6111: entry("shared", 401, "observed", "Invalid format for Authorization header"),
  7003: entry("shared", 404, "observed", "No route for the URI"),
  9106: entry("shared", 401, "observed", "Missing Authorization header"),
  9109: entry("shared", 403, "observed", "Unauthorized to access requested resource"),
  9207: entry("shared", 400, "observed", "Invalid content type"),
  10000: entry("shared", 403, "observed", "Authentication error"),
  10400: entry("shared", 400, "chosen", "Invalid input"),
  10404: entry("shared", 404, "chosen", "Not found"),
  10405: entry("shared", 405, "observed", "Method not allowed"),
  10413: entry("shared", 413, "chosen", "Request body too large"),
  10415: entry("shared", 415, "chosen", "Unsupported content encoding"),
  10421: entry("shared", 421, "chosen", "Misdirected request"),

  // Custom rules.
  20018: entry("tokens", 400, "observed", "Logging not allowed"),
  20217: entry("tokens", 400, "observed", "Invalid kind of ruleset"),

  // Brand protection.
  7001: entry("brand", 400, "observed", "Invalid input"),
  7002: entry("brand", 404, "observed", "Not found"),

  // Image hosting: the API.
  5400: entry("images", 400, "observed", "Bad request"),
  5401: entry("images", 404, "observed", "Variant not found"),
  5403: entry("images", 403, "observed", "Not allowed"),
  5404: entry("images", 404, "observed", "Image not found"),
  5409: entry("images", 400, "observed", "Image already exists"),
  5411: entry("images", 400, "observed", "Bad custom id"),
  5413: entry("images", 413, "observed", "Image too large"),
  5415: entry("images", 415, "observed", "Wrong content type"),
  5443: entry("images", 400, "observed", "Animation too large"),
  5453: entry("images", 403, "observed", "Limit reached"),
  5454: entry("images", 400, "observed", "Fetching the image failed"),
  5455: entry("images", 415, "observed", "Unsupported image format"),
  9422: entry("images", 400, "observed", "Image could not be decoded"),
  // Image hosting: delivery.
  9401: entry("images", 400, "observed", "Invalid delivery request"),
  9402: entry("images", 413, "observed", "Source too large, or its transfer interrupted"),
  9403: entry("images", 508, "observed", "Loop of transformations"),
  9404: entry("images", 404, "observed", "Image or variant not found"),
  9406: entry("images", 403, "observed", "Source is not a path or an http(s) URL"),
  9407: entry("images", 523, "observed", "Source could not be reached"),
  9408: entry("images", 403, "observed", "Origin answered with a status of 4xx"),
  9412: entry("images", 415, "observed", "Not an image"),
  9413: entry("images", 403, "observed", "Image too large to transform"),
  9419: entry("images", 403, "observed", "Source is not encoded, or has credentials"),
  9420: entry("images", 400, "observed", "Origin redirects to an invalid address"),
  9421: entry("images", 400, "observed", "Origin redirects too many times"),
  9425: entry("images", 403, "observed", "Signature missing, wrong or expired"),
  9429: entry("images", 403, "observed", "Flexible variants not enabled"),
  9504: entry("images", 524, "observed", "Origin took too long"),
  9505: entry("images", 502, "observed", "Origin rejects the connection"),
  9509: entry("images", 502, "observed", "Origin answered with a status of 5xx"),
  9510: entry("images", 502, "observed", "Origin closes the connection"),
  9516: entry("images", 422, "observed", "Image could not be transformed"),
  9520: entry("images", 415, "observed", "Format of the source not supported"),
  9522: entry("images", 503, "observed", "Too many renderings"),
  // Image hosting: the Images binding.
  9523: entry("images", 400, "observed", "Malformed request of the Images binding"),
  9525: entry("images", 400, "observed", "Transformer was used already"),

  // Proxy applications.
  10012: entry("proxy", 400, "spec", "Unknown field in request JSON"),
  11000: entry("proxy", 400, "spec", "Invalid origin configuration"),
  11001: entry("proxy", 400, "spec", "Invalid origin DNS configuration"),
  11002: entry("proxy", 400, "spec", "Invalid origin address"),
  11004: entry("proxy", 400, "spec", "Invalid DNS configuration"),
  11014: entry("proxy", 403, "spec", "FTP not enabled"),
  11018: entry("proxy", 403, "spec", "edge_ips not enabled"),
  11019: entry("proxy", 400, "spec", "edge_ips not authorized"),
  11026: entry("proxy", 403, "spec", "Smart routing not enabled"),
  11033: entry("proxy", 400, "spec", "edge_ips in use"),
  11034: entry("proxy", 400, "spec", "Cannot create more applications for protocol"),
  11041: entry("proxy", 400, "spec", "Virtual network requires origin direct"),
  11042: entry("proxy", 400, "spec", "Virtual network requires single origin"),
  11043: entry("proxy", 400, "spec", "Virtual network no port range"),
  11044: entry("proxy", 400, "spec", "Virtual network route not found"),
  11045: entry("proxy", 400, "spec", "Virtual network invalid UUID"),
  11050: entry("proxy", 400, "spec", "Invalid cross-zone origin DNS configuration"),
  12005: entry("proxy", 400, "spec", "IPv4 quota limit"),
  13002: entry("proxy", 400, "spec", "Protocol not available"),
  16001: entry("proxy", 400, "spec", "Zone mismatch"),
} as const satisfies Record<number, CatalogueEntry>;

/** A code of the catalogue. */
export type Code = keyof typeof catalogue;

/** Codes of notes: the `messages` of a successful response. */
export const noteCodes = {
  keyAdjusted: 110003,
  memberIgnored: 10401,
  valueNoted: 10402,
  notEvaluated: 10403,
  plainLogo: 10406,
} as const;

/** A code of notes by its name. */
export type NoteName = keyof typeof noteCodes;

/** Id of the rule of the notes of a name. */
export function noteRule(name: NoteName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A diagnostic that rejects an input: of level `error`, with a code of the catalogue. */
export interface CodedDiagnostic extends Diagnostic {
  /** Decides the HTTP status. */
  readonly code: Code;
}

/**
 * A problem of the error catalogue.
 *
 * @param message one sentence with the value found and the values allowed
 * @param pointer RFC 6901 pointer into the input; left out when the problem is not in a body
 */
export function problem(code: Code, message: string, pointer?: string): CodedDiagnostic {
  if (typeof code !== "number" || !Object.hasOwn(catalogue, code))
    throw invalid("code", "a code of the catalogue", code);
  if (typeof message !== "string") throw invalid("message", "a string", message);
  const { rule } = catalogue[code];
  return { rule, level: "error", code, message, ...(pointer !== undefined && { pointer }) };
}

/**
 * A remark about an input that was accepted: a Message object of the interface.
 *
 * @param pointer RFC 6901 pointer into the input; left out when the note is not about a body
 */
export function note(name: NoteName, message: string, pointer?: string): Diagnostic {
  const code = noteCodes[name];
  return { rule: noteRule(name), level: "note", code, message, ...(pointer !== undefined && { pointer }) };
}

/** The diagnostics of an input: what rejects it, and remarks on values that are accepted. */
export interface InputCheck {
  /** Empty for a valid input. */
  readonly problems: readonly CodedDiagnostic[];
  /** Warnings and notes. */
  readonly notes: readonly Diagnostic[];
}

/** Separates what rejects an input from remarks. */
export function checkOf(found: Iterable<CodedDiagnostic | Diagnostic>): InputCheck {
  const problems: CodedDiagnostic[] = [];
  const notes: Diagnostic[] = [];
  for (const diagnostic of found) {
    if (isProblem(diagnostic)) problems.push(diagnostic);
    else notes.push(diagnostic);
  }
  return { problems, notes };
}

function isProblem(diagnostic: Diagnostic): diagnostic is CodedDiagnostic {
  return diagnostic.level === "error";
}

function invalid(name: string, allowed: string, found: unknown): TypeError {
  return new TypeError(`\`${name}\` must be ${allowed}; found ${quote(found)}`);
}

/** The messages of problems, with their pointers. @throws {TypeError} for a value that is not a list of problems */
function problemMessages(problems: readonly CodedDiagnostic[], hasPointers = false): readonly string[] {
  if (!Array.isArray(problems)) throw invalid("problems", "an array", problems);
  return Array.from(problems, (problem: Partial<CodedDiagnostic> | null | undefined) => {
    if (typeof problem?.message !== "string") throw invalid("problem", "a problem with a message", problem);
    return hasPointers && typeof problem.pointer === "string" && problem.pointer !== ""
      ? `${problem.pointer}: ${problem.message}`
      : problem.message;
  });
}

/** A rejected request. Only `http/` turns it into a response. */
export class ApiError extends Error {
  /** Always `ApiError`. */
  override readonly name = "ApiError";
  /** All problems, at least one; the message of the error is that of the first. */
  readonly problems: readonly [CodedDiagnostic, ...CodedDiagnostic[]];

  /** @throws {TypeError} for a value that is not a problem */
  constructor(first: CodedDiagnostic, ...rest: CodedDiagnostic[]) {
    super(problemMessages([first]).join());
    this.problems = [first, ...rest];
  }

  /** Code of the first problem. */
  get code(): Code {
    return this.problems[0].code;
  }

  /** HTTP status of the first problem's code, from 400 to 599. */
  get status(): number {
    return catalogue[this.code].status;
  }
}

/** A dependency of the services (store, DNS, address management, image library) is unavailable: 10002 with status 503. */
export class DependencyUnavailableError extends Error {
  /** Always `DependencyUnavailableError`. */
  override readonly name = "DependencyUnavailableError";
  /** The packages that cannot be loaded: missing or damaged, or the machine lacks something. Absent for other dependencies. */
  readonly packages?: string;

  /** @throws {TypeError} when the message is not a string */
  constructor(message: string, { packages, ...options }: ErrorOptions & { readonly packages?: string } = {}) {
    if (typeof message !== "string") throw invalid("message", "a string", message);
    super(message, options);
    if (packages !== undefined) this.packages = packages;
  }
}

/** Whether an error is that of packages that cannot be loaded. */
export function isPackageFailure(error: unknown): boolean {
  return error instanceof DependencyUnavailableError && error.packages !== undefined;
}

/** A library call received input that the matching `check...` function reports problems of. */
export class InvalidInputError extends TypeError {
  /** Always `InvalidInputError`. */
  override readonly name = "InvalidInputError";
  /** All problems of the input, in its order. */
  readonly problems: readonly CodedDiagnostic[];

  /** @param summary start of the message, such as `the world is not valid`; the problems follow it */
  constructor(summary: string, problems: readonly CodedDiagnostic[]) {
    if (typeof summary !== "string") throw invalid("summary", "a string", summary);
    super(`${summary}: ${problemMessages(problems, true).join("; ")}`);
    this.problems = problems;
  }
}

/**
 * An RFC 6901 pointer with the given segments.
 *
 * @example pointer("keys", 0, "a/b") // "/keys/0/a~1b"
 */
export function pointer(...segments: readonly (string | number)[]): string {
  return segments.map((s) => `/${String(s).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** A string for a message: like `quote`, and an empty one in words. */
export function quoteText(text: string): string {
  return text === "" ? "an empty string" : quote(text);
}

/** A noun with its indefinite article for a message: `a rule`, `an operation`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** Memory that cannot be allocated; the message names the limit that must be raised. */
export class MemoryLimitError extends RangeError {
  override readonly name = "MemoryLimitError";
}
