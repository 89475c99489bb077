/** What `demo`, `serve`, `export` and `import` print with `--json`. */
import { z } from "zod";

export const demoOutput = z
  .array(
    z.strictObject({
      area: z.enum(["tokens", "brand", "images", "proxy"]),
      title: z.string(),
      rows: z.array(z.record(z.string(), z.string())).describe("The table, by the names of its columns."),
      notes: z.array(z.string()).describe("What stands below the table."),
    }),
  )
  .describe("Each table of the demonstration.");

export const serveOutput = z
  .strictObject({ url: z.string().describe("Base address of the interface.") })
  .describe("One line, when the server listens.");

const counts = { records: z.int().min(0), sequences: z.int().min(0), blobs: z.int().min(0) };

export const exportOutput = z
  .strictObject({ file: z.string(), ...counts })
  .describe("What was written to the file.");

export const importOutput = z.strictObject(counts).describe("What was read into the store.");
