/** Loads the optional packages of a store or queue when it is opened. */

import { DependencyUnavailableError } from "../errors.ts";

/** @throws {DependencyUnavailableError} that names the packages to install when one is missing, and else what failed */
export async function loadPeers<T>(store: string, packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = missingCodes.has(code)
      ? `${store} needs packages that are not installed: npm install ${packages}`
      : `${store} cannot load ${packages.replaceAll(" ", " and ")}: ${code ?? "the package is damaged"}`;
    throw new DependencyUnavailableError(message, { cause: error, packages });
  }
}

/** Codes of Node.js for a package that is not installed, by `import` and by `require`. */
const missingCodes: ReadonlySet<unknown> = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);
