/** The output of `replay` with `--json`. */
import * as z from "zod";
import { action } from "./rules.ts";

const count = z.int().min(0);
const entryLine = z.int().min(1).optional().describe("Line of an entry of an archive.");

const file = z.strictObject({
  file: z.string(),
  requests: count,
  outside: count.describe("Requests to hosts of no zone; they are not evaluated."),
  outsideHosts: z.record(z.string(), count).describe("Requests to hosts of no zone by host, most first."),
  untimed: count.describe("Requests whose time is not recorded."),
  rejected: z.strictObject({
    count,
    listed: z
      .array(z.strictObject({ position: z.int().min(1), line: entryLine, reason: z.string() }))
      .max(20)
      .describe("The first parts of the file that are not requests; positions are lines or entries, from 1."),
  }),
  skipped: z.record(z.string(), count).describe("Requests that never reached the edge, by reason."),
  remarks: z.record(z.string(), count).describe("Requests by remark on them."),
});

const side = z.strictObject({
  action,
  rule: z.string().optional().describe("The id of the rule that decided."),
  title: z.string().optional(),
  reason: z.string().optional().describe("Absent for the edge, which does not record it."),
});

const example = z.strictObject({
  request: z.string().describe("The ray id or the position."),
  file: z.string(),
  position: z.int().min(1),
  line: entryLine,
  method: z.string(),
  path: z.string().describe("Without the query; parts that look like tokens are `<token>`."),
  time: z.string().optional(),
  token: z
    .strictObject({ kid: z.string().optional(), claims: z.array(z.string()).describe("Names only.") })
    .optional(),
});

const difference = z.strictObject({
  zone: z.string(),
  host: z.string(),
  operation: z.string().optional(),
  from: side.describe("The answer of the old world, or of the edge."),
  to: side,
  count: z.int().min(1),
  expected: z.boolean(),
  couldChange: z.boolean().describe("Whether something undecided could change it (`--partial`)."),
  examples: z.array(example).max(3),
});

const sums = z.record(z.string(), count).describe("Requests by name, most first.");

const differences = {
  total: count.describe("Requests that differ."),
  unexpected: count,
  byRule: sums,
  byOperation: sums,
  byHost: sums,
  differences: z.array(difference).max(1000),
  others: count.describe("Requests that differ and are not listed."),
};

export const replayOutput = z
  .strictObject({
    files: z.array(file),
    tokens: z
      .strictObject({ present: count, absent: count, redacted: count, stripped: count })
      .describe("Requests of the zones by the state of their token in the recording."),
    evaluated: count,
    assumed: count.describe("Requests evaluated with an assumed token (`--as`)."),
    couldChange: count.describe("Requests whose verdict something undecided could change (`--partial`)."),
    notEvaluated: count,
    verdicts: z.strictObject({ allow: count, log: count, block: count, challenge: count, undecided: count }),
    needs: sums.describe("Requests with an undecided verdict, by the value that custom rules need."),
    changes: z.strictObject(differences).optional().describe("From the old world to the new one."),
    edge: z
      .strictObject({
        ...differences,
        compared: count,
        same: count.describe("Requests with the same action as at the edge."),
        otherRule: count,
        otherOperation: count,
        endedByOther: count.describe("Requests that another product of the edge ended; not compared."),
      })
      .optional(),
    unseen: z
      .array(
        z.strictObject({
          rule: z.string().optional(),
          operation: z.string().optional(),
          host: z.string().optional(),
          from: action,
          to: action,
        }),
      )
      .describe("Expected changes that no request had."),
    unexpected: count.describe("Changes that are not expected; they decide the exit code."),
  })
  .describe("The report on recorded traffic.");
