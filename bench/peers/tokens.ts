/** Peers of the benchmarks of tokens. */
export { parse as parseCel } from "@marcbachmann/cel-js";
export { newEnforcer, newModelFromString } from "casbin";
export { createVerifier as createFastJwt } from "fast-jwt";
export { Engine as JsonRules } from "json-rules-engine";
