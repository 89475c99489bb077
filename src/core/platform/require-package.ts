/** Loads packages with `require`: Node.js keeps the failure of an `import()` until the process ends, and `require` tries again. */
import { createRequire } from "node:module";
import { DependencyUnavailableError } from "../../errors.ts";

const require = createRequire(import.meta.url);

/**
 * The exports of a package of CommonJS. A later call tries again after an error.
 *
 * @throws {DependencyUnavailableError} when the package is missing or damaged, or the machine lacks memory or file descriptors
 */
export function requirePackage<Exports>(name: string): Exports {
  try {
    return require(name) as Exports;
  } catch (cause) {
    throw new DependencyUnavailableError(`the package ${name} cannot be loaded`, { cause, packages: name });
  }
}
