/** Counts the types that name a fault: everything that is wrong with an input is a `Diagnostic`, and only these are not. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Words that end the name of a type of faults. */
const words =
  "Dropped|Error|Failure|Fault|Finding|Issue|Note|Problem|Rejection|Remark|Report|Undecided|Violation|Warning";

/** Every allowed type, by what it is. */
const allowed = {
  "holds diagnostics": ["Failure", "Notes", "Report"],
  "is a diagnostic with more": ["Undecided"],
  "is thrown": [
    "AccountSettingsError",
    "ApiError",
    "DependencyUnavailableError",
    "ExpressionSyntaxError",
    "FileWriteError",
    "InvalidExportError",
    "InvalidInputError",
    "MemoryLimitError",
    "MissingBlobError",
    "PassingFailure",
    "PatternSyntaxError",
    "RecordFault",
    "RequestFault",
    "StoreNotEmptyError",
    "SvgRejection",
    "BindingError",
    "UniqueViolationError",
    "UsageError",
  ],
  "is a reason inside one module, from which a message is made": [
    "DecodeFault",
    "ExpressionError",
    "HostProblem",
    "Issue",
    "OriginFault",
    "ParseFault",
    "PatternProblem",
    "Rejection",
    "SystemError",
    "TimeRejection",
  ],
  "is an answer of the workbench": ["GuardRejection", "Rejection"],
  "is a faulty input or dependency of tests": [
    "Fault",
    "Faults",
    "FieldFault",
    "MemberFault",
    "TokenFault",
    "ZoneFault",
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const declaration = new RegExp(
  `^(?:export )?(?:abstract )?(?:interface|type|class) (\\w*(?:${words})s?)\\b`,
  "gm",
);

function faultTypes(): string[] {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      [...readFileSync(join("src", file), "utf8").matchAll(declaration)].map(([, name]) => name!),
    );
}

test("every type that names a fault is listed with what it is, and every listed type exists", () => {
  expect(faultTypes().sort()).toEqual(Object.values(allowed).flat().sort());
});

test("at most 40 types name a fault", () => {
  expect(Object.values(allowed).flat().length).toBeLessThanOrEqual(40);
});
