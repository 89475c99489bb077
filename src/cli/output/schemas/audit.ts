/** The output of `audit` with `--json`. */
import { z } from "zod";
import { type AuditOutcome, auditOutcomes } from "../../../engine/tokens/analysis/audit/outcomes.ts";
import {
  action,
  jsonPointer,
  placeholderToken,
  plainRequest,
  position,
  tokenStates,
  zoneId,
} from "./rules.ts";

const outcome = z.enum(Object.keys(auditOutcomes) as [AuditOutcome]);
const count = z.int().min(1);

const operation = {
  operation_id: z.string(),
  method: z.string(),
  host: z.string(),
  endpoint: z.string(),
  pointer: jsonPointer,
  ...position,
};

const remark = z.strictObject({ pointer: jsonPointer, message: z.string(), ...position });

const contradiction = z
  .strictObject({
    request: plainRequest,
    placeholderTokens: z.array(placeholderToken),
    action,
    rule: z.string().optional().describe("The id of the rule that decided."),
    operationId: z.string().optional().describe("The id of the operation of the zone."),
    tokens: tokenStates,
  })
  .describe("A request that contradicts the document, and its treatment by the zone.");

export const auditOutput = z
  .strictObject({
    zone: zoneId,
    document: z.string().describe("The file of the document."),
    world: z.string().describe("The file of the world."),
    counts: z.partialRecord(outcome, count).describe("The number of operations of each outcome that occurs."),
    operations: z.array(
      z.strictObject({
        ...operation,
        security: z
          .array(z.array(z.string()))
          .describe("Alternatives of schemes that are all needed; none: public."),
        outcome,
        zoneOperations: z.array(z.string()).describe("Ids of operations of the zone that requests match."),
        unreadSchemes: z.array(z.string()).describe("Schemes that no token configuration reads."),
        contradiction: contradiction.optional(),
        reason: z.string().optional().describe("Why the outcome is undecided."),
        undecided: z
          .array(z.string())
          .optional()
          .describe("With `--partial`: parts of the configuration that could change the outcome."),
      }),
    ),
    unreadSchemes: z
      .array(
        z.strictObject({
          name: z.string(),
          pointer: jsonPointer,
          ...position,
          source: z.string().optional().describe("The token source of its credential."),
          reason: z.string().optional().describe("Why no token source can read it."),
          operations: z.array(jsonPointer),
        }),
      )
      .describe("Security schemes that rules cannot verify."),
    notAudited: z.array(remark).describe("Parts of the document that cannot be read."),
    ignored: z.array(remark).describe("Parts of the document that `--ignore` leaves out."),
    undocumented: z
      .array(
        z.strictObject({ ...operation, pointer: jsonPointer.describe("RFC 6901 pointer into the world.") }),
      )
      .describe("Operations of the zone that the document lacks."),
  })
  .describe("The audit of a zone against an OpenAPI document.");
