/** The part of SARIF 2.1.0 (OASIS Standard, 27 March 2020) that `check` and `lint` print with `--format sarif`. */
import { z } from "zod";

/** Section 3.11: a message with plain text. */
const message = z.strictObject({ text: z.string().min(1) });

/** Section 3.49: a rule. */
const reportingDescriptor = z.strictObject({
  id: z.string().min(1),
  shortDescription: message,
  help: message,
  properties: z.record(z.string(), z.unknown()).optional(),
});

/** Section 3.28: a position in a file, and a pointer into its JSON value. */
const location = z.strictObject({
  physicalLocation: z.strictObject({
    artifactLocation: z.strictObject({
      uri: z
        .string()
        .regex(/^[^\s\\]+$/)
        .describe("A URI reference (RFC 3986), relative to where the command ran."),
    }),
    region: z.strictObject({ startLine: z.int().min(1), startColumn: z.int().min(1) }),
  }),
  logicalLocations: z.tuple([
    z.strictObject({ fullyQualifiedName: z.string().describe("RFC 6901 pointer into the file.") }),
  ]),
});

/** Section 3.27: a finding. */
const result = z.strictObject({
  ruleId: z.string().min(1),
  ruleIndex: z.int().min(0).describe("Index of the rule in `tool.driver.rules`."),
  level: z.enum(["error", "warning", "note"]),
  message,
  locations: z.tuple([location]),
});

export const sarifLog = z
  .strictObject({
    $schema: z.literal("https://json.schemastore.org/sarif-2.1.0.json"),
    version: z.literal("2.1.0"),
    runs: z.tuple([
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.literal("edgeproof"),
            version: z.string(),
            rules: z.array(reportingDescriptor),
          }),
        }),
        results: z.array(result),
      }),
    ]),
  })
  .describe("A SARIF 2.1.0 log as edgeproof writes it: one run, each result with one location.");
