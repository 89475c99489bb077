/** The part of SARIF 2.1.0 (OASIS Standard, 27 March 2020) that commands print with `--format sarif`. */
import * as z from "zod";
import { missingFact } from "./report.ts";

/** Section 3.11: a message with plain text. */
const message = z.strictObject({ text: z.string().min(1) });

const level = z.enum(["error", "warning", "note"]);

/** Section 3.49: a rule. */
const reportingDescriptor = z.strictObject({
  id: z.string().min(1),
  shortDescription: message,
  fullDescription: message,
  help: message,
  defaultConfiguration: z.strictObject({ level }),
  properties: z.looseObject({
    tags: z.array(z.string()).max(20),
    precision: z.literal("very-high"),
    "problem.severity": z.enum(["error", "warning", "recommendation"]),
    docs: z.string().optional().describe("Page of the package, and the anchor in it."),
  }),
});

/** Section 3.28: a position in a file, and a pointer into its JSON value. */
const location = z.strictObject({
  physicalLocation: z.strictObject({
    artifactLocation: z.strictObject({
      uri: z
        .string()
        .regex(/^[^\s\\]+$/)
        .describe("A URI reference (RFC 3986), relative to the repository."),
    }),
    region: z.strictObject({
      startLine: z.int().min(1),
      startColumn: z.int().min(1),
      endLine: z.int().min(1).optional(),
      endColumn: z.int().min(1).optional().describe("The column after the last character."),
    }),
  }),
  logicalLocations: z.tuple([
    z.strictObject({
      fullyQualifiedName: z
        .string()
        .describe("RFC 6901 pointer into the file, or the address of a resource."),
    }),
  ]),
});

/** Section 3.27: a finding. */
const result = z.strictObject({
  ruleId: z.string().min(1),
  ruleIndex: z.int().min(0).describe("Index of the rule in `tool.driver.rules`."),
  level,
  message,
  locations: z.tuple([location]),
  partialFingerprints: z.strictObject({
    primaryLocationLineHash: z
      .string()
      .regex(/^[0-9a-f]{16}:\d+$/)
      .describe("Identifies the finding after other parts of the file changed."),
  }),
  suppressions: z
    .tuple([
      z.strictObject({
        kind: z.enum(["inSource", "external"]),
        status: z.literal("accepted"),
        justification: z.string(),
      }),
    ])
    .optional()
    .describe("Section 3.35: the finding is accepted, by a comment or in the configuration file."),
});

/** Sections 3.20 and 3.58: how the tool ran, and what it left out. */
const invocation = z.strictObject({
  executionSuccessful: z.literal(true),
  toolExecutionNotifications: z
    .array(
      z.strictObject({
        level: z.enum(["warning", "note"]),
        message,
        properties: missingFact.optional().describe("A fact for lack of which checks were not evaluated."),
      }),
    )
    .min(1)
    .optional()
    .describe("A warning with the number of findings beyond 5,000, and a note for each missing fact."),
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
        invocations: z.tuple([invocation]),
        columnKind: z.literal("utf16CodeUnits"),
        results: z.array(result).max(5_000),
      }),
    ]),
  })
  .describe("A SARIF 2.1.0 log as edgeproof writes it: one run, each result with one location.");
