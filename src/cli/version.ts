/** The package's version, from its own package.json. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const version: string = (require("../../package.json") as { version: string }).version;
