/** Schema of the output of `lint --json`. */
import { z } from "zod";
import { checks } from "../../../engine/proxy/checks/catalogue.ts";
import { checkLevels, phases } from "../../../engine/proxy/model.ts";
import { position } from "./rules.ts";

const code = z.int();
const check = z.enum(checks.map(({ id }) => id) as [string]).describe("Id of the check.");
const pointer = z.string().describe("RFC 6901 pointer.");

const patchOperation = z.discriminatedUnion("op", [
  z.strictObject({ op: z.literal("replace"), path: pointer, value: z.unknown() }),
  z.strictObject({ op: z.literal("move"), from: pointer, path: pointer }).describe("Renames a member."),
]);

const finding = {
  code,
  check,
  phase: z.enum(phases),
  message: z.string(),
  pointers: z.array(pointer).describe("Into the application, the most relevant first."),
  fix: z.string(),
  patch: z.array(patchOperation).optional().describe("The fix, when there is only one; `--fix` applies it."),
  file: z.string().optional().describe("The file of the position, when it is not the given one."),
  ...position,
};

const violation = z.strictObject({ ...finding, status: z.int().describe("HTTP status of the code.") });

const warning = z.strictObject({
  ...finding,
  level: z
    .enum(checkLevels)
    .exclude(["error"])
    .describe("`restriction`: the real service rejects the application, the specification does not."),
});

export const lintOutput = z
  .array(
    z.strictObject({
      file: z.string(),
      pointer: pointer.describe(
        "Pointer to the application in the file; empty when the file is a single application.",
      ),
      valid: z.boolean(),
      violations: z.array(violation),
      warnings: z.array(warning).describe("Findings that do not reject the application."),
      not_evaluated: z.array(
        z.strictObject({ check, code, needs: z.array(z.string()).describe("The facts that are missing.") }),
      ),
      messages: z.array(z.strictObject({ code, message: z.string(), pointer: pointer.optional() })),
      undecided: z
        .strictObject({ message: z.string(), run: z.string().describe("What to do about it.") })
        .optional()
        .describe("Why the application is not validated: a member of it is not known."),
    }),
  )
  .describe("The validation of each application of each file.");
