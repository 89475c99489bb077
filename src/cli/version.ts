/** The version of the package, from its package.json. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const version: string = (require("edgeproof/package.json") as { version: string }).version;
