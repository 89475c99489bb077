/** Loads the optional packages of a store or queue when it is opened. */

/** @throws {Error} that names the packages to install, when one is missing */
export async function loadPeers<T>(store: string, packages: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(`${store} needs packages that are not installed: npm install ${packages}`, {
      cause: error,
    });
  }
}
