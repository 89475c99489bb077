/** The schemas of the `--json` output of `demo`, `serve`, `workbench`, `export`, `import`, `observe`, `publish`, `worker`, `queue` and `reindex`. */
import * as z from "zod";

export const demoOutput = z
  .array(
    z.strictObject({
      area: z.enum(["tokens", "brand", "images", "proxy"]),
      title: z.string(),
      rows: z
        .array(z.record(z.string(), z.string()))
        .describe("The rows of the table, keyed by column name."),
      notes: z.array(z.string()).describe("The paragraphs below the table."),
    }),
  )
  .describe("The tables of the demo.");

export const serveOutput = z
  .strictObject({
    url: z.string().describe("Base URL of the interface."),
    workbench: z.string().optional().describe("Address of the workbench with its session token."),
    admin: z.string().optional().describe("Base URL of the administrative interface."),
  })
  .describe("One line, printed when the server listens.");

export const workbenchOutput = z
  .strictObject({ url: z.string().describe("Address of the page with its session token.") })
  .describe("One line, printed when the page can be opened.");

const counts = { records: z.int().min(0), sequences: z.int().min(0), blobs: z.int().min(0) };

export const exportOutput = z
  .strictObject({ file: z.string(), ...counts })
  .describe("The numbers of exported entries.");

export const importOutput = z.strictObject(counts).describe("The numbers of imported entries.");

export const observeOutput = z
  .array(
    z.strictObject({
      account: z.string(),
      new: z.int().min(0).describe("Names and pictures that were not stored before."),
      duplicate: z
        .int()
        .min(0)
        .describe("Names and pictures that were stored before, or earlier in the same input."),
      rejected: z.int().min(0).describe("Names and pictures that are not valid."),
      matches: z.int().min(0).describe("New matches with the queries of the account."),
      problems: z
        .array(
          z.strictObject({
            file: z.string(),
            line: z.int().min(1).describe("Number of the line, from 1; 1 for a picture."),
            message: z.string(),
          }),
        )
        .describe("The first 100 that were rejected."),
    }),
  )
  .describe("The counts of each account.");

export const publishOutput = z
  .strictObject({
    accepted: z.int().min(0).describe("Pictures that are on the queue."),
    waiting: z.int().min(0).describe("Of these, those that waited there already."),
    rejected: z.int().min(0).describe("Pictures that are not valid."),
    problems: z
      .array(z.strictObject({ file: z.string(), message: z.string() }))
      .describe("The first 100 that were rejected."),
  })
  .describe("The counts of the pictures.");

export const workerOutput = z
  .strictObject({
    done: z.int().min(0).describe("Pictures that are stored for all of their accounts."),
    failed: z.int().min(0).describe("Errors after which a picture was put back."),
    dead: z.int().min(0).describe("Messages that were set aside."),
  })
  .describe("One line, printed when the worker ends.");

export const queueOutput = z
  .union([
    z
      .strictObject({
        waiting: z.int().min(0).describe("Waiting, those with a delay included."),
        taken: z.int().min(0).describe("Taken and not finished."),
        dead: z.int().min(0).describe("Set aside."),
        oldest_seconds: z.int().min(0).describe("Age of the oldest that is waiting or taken."),
      })
      .describe("status: the numbers of messages."),
    z
      .strictObject({
        queue: z.string().describe("Address, without its password."),
        created: z.boolean().describe("Whether it, or a part of it, did not exist."),
        warnings: z.array(z.string()),
      })
      .describe("setup."),
    z
      .array(
        z.strictObject({
          id: z.string(),
          key: z.string().nullable(),
          reason: z.string(),
          bytes: z.int().min(0).describe("Size of the message."),
        }),
      )
      .describe("dead list: the oldest messages that were set aside."),
    z
      .strictObject({
        changed: z.int().min(0).describe("Messages that were delivered again, or removed."),
        missing: z.array(z.string()).describe("Ids without a message that was set aside."),
      })
      .describe("dead retry, dead drop."),
  ])
  .describe("The result of the action.");

export const reindexOutput = z
  .strictObject({ described: z.int().min(0), current: z.int().min(0), skipped: z.int().min(0) })
  .describe(
    "The numbers of stored pictures: described again, of this version already, without a descriptor.",
  );
