/** A generated suite of a zone of the playground, as `edgeproof suite generate` writes it. */

import { runCommand } from "../../core/text/run-command.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import { suiteFor } from "../../engine/tokens/suite/suite-for.ts";
import { couldChange } from "../../import/world/could-change.ts";
import { zoneDefaults } from "../../service/tokens/compile-zone.ts";
import { generateWords } from "../../testing/suites/generate-words.ts";
import { type GeneratedSuite, printRequests, summaryOf } from "../../testing/suites/generated-suite.ts";
import { suiteTimeMs } from "../../testing/suites/suite-time.ts";
import { printTestFile, testRunners } from "../../testing/suites/test-file.ts";
import { RequestFault } from "../guard/request-fault.ts";
import type { SuiteFile } from "../playground-messages.ts";
import type { ValidZone } from "./rules-edge.ts";
import { worldText } from "./world-text.ts";

/** Which suite is generated. */
export interface SuiteChoice {
  /** `json`, or a test runner. */
  readonly format: string;
  /** `each` or `classes`. */
  readonly operations: string;
}

/**
 * Generates the suite of a zone.
 *
 * @throws {RequestFault} for a choice that does not exist, for a zone without rules, and for test files of rules without a world
 */
export function generateSuite(
  text: string,
  zone: ValidZone,
  choice: SuiteChoice,
  onProgress: (done: number, all: number) => void,
): SuiteFile {
  const runner = testRunners.find((candidate) => candidate === choice.format);
  const operations = (["each", "classes"] as const).find((candidate) => candidate === choice.operations);
  if ((runner === undefined && choice.format !== "json") || operations === undefined)
    throw new RequestFault(
      400,
      "`format` must be `json` or a test runner, `operations` `each` or `classes`.",
    );
  const world = worldText(text);
  if (runner !== undefined && world === undefined)
    throw new RequestFault(
      400,
      "A test file reads the rules from a world file, and the text is the rules of one zone; choose JSON, or write a world with `zones`.",
    );
  const { id, input, profile } = zone;
  const { precedence } = zoneDefaults(profile);
  const suite = suiteFor(input, { precedence, operations, onProgress });
  if (suite.requests.length === 0)
    throw new RequestFault(400, `The zone ${zone.name} has no rules to generate requests for.`);
  const generated: GeneratedSuite = { zone: id, input, suite };
  const options = { operations, zone: id, now: suiteTimeMs };
  const leftOut = couldChange(zone.undecided, { zone: id });
  const { counts, open } = summaryOf(generated);
  const summary = [
    ...counts,
    ...open.map(({ line }) => line),
    ...leftOut.map(({ message }) => `The suite is without a part that the text does not decide. ${message}`),
  ];
  if (runner === undefined || world === undefined)
    return { name: "suite.json", text: printRequests([generated], options), summary };
  const name = runner === "jest" ? "rules.test.mjs" : "rules.test.ts";
  const now = new Date(suiteTimeMs).toISOString();
  const partial = leftOut.length > 0;
  const words = generateWords({ ...options, now, partial, world: "world.json", format: runner, out: name });
  const command = [runCommand, ...words.map(shellWord)].join(" ");
  const file = { runner, profile, nowMs: suiteTimeMs, worldPath: "./world.json", command };
  return { name, text: printTestFile([generated], file), summary, world };
}
