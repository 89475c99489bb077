/** Whether the outcome of a call with hostile arguments is a documented one. */

/** The kinds of errors that functions document. */
const kinds =
  /^(TypeError|RangeError|ApiError|InvalidInputError|AccountSettingsError|DependencyUnavailableError|MissingBlobError|UniqueViolationError|MemoryLimitError)$/;

/** Messages of the runtime: a function that lets one out has not checked its arguments. */
const runtimeMessages =
  /^(Cannot (read|set|convert|destructure|mix|assign|use|create|delete|add|define|redefine|perform)|Invalid (array|string|typed array|time|count|date|code point|URL|regular|left|DataView|options)|Maximum call stack|Reduce of empty|Class |Method |Iterator |Converting circular|Do not know how|The (first argument must be of|number|comparison|iterator|"[^"]*" (argument|property))|Right-hand|Found non-callable|Array buffer|Offset|Start offset|Generator|Derived|Failed to|Expected (an?|init)|Request|Response|Headers|BigInt)|is not (a function|iterable|an object|async iterable|a constructor|defined|a symbol|callable)|(is|was) not iterable|called on (incompatible|null)|must be (of type|an instance of)|Illegal invocation|object null is not|out of (range|bounds)\.|undefined is not|precision|toFixed|radix/;

/**
 * A description of an error that is not documented; undefined for one that is.
 *
 * @param isPlain whether a plain Error is documented, too
 */
export function undocumented(error: unknown, isPlain = false): string | undefined {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  const name = error.name;
  const { code } = error as NodeJS.ErrnoException;
  const isRuntime =
    runtimeMessages.test(error.message) || (typeof code === "string" && code.startsWith("ERR_"));
  if ((kinds.test(name) || (isPlain && name === "Error")) && !isRuntime) return undefined;
  const frame = error.stack
    ?.split("\n")
    .find((line) => line.includes("src/") || line.includes("main.mjs") || line.includes(".mjs"));
  return `${name}: ${error.message.slice(0, 150)}${frame ? ` ${frame.trim()}` : ""}`;
}
