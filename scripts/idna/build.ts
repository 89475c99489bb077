/** `npm run build:idna`: writes the tables of host names. A test compares the file. */
import { writeFileSync } from "node:fs";
import { tableModule } from "./table.ts";

writeFileSync(new URL("../../src/core/idna/table.ts", import.meta.url), tableModule());
