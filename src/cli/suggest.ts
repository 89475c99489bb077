/** Suggestions for mistyped commands, options and values. */

export { didYouMean } from "../core/suggest.ts";
