/** `--faults`: a file with rules of faults. */
import { faultTargets } from "../../http/faults/targets.ts";
import { readFaultRules } from "../../service/faults/fault-rules.ts";
import type { FaultRule } from "../../service/faults.ts";
import { type Io, UsageError } from "../command.ts";
import { printFaults } from "../output/places.ts";
import { readJsonSource } from "./files.ts";

/**
 * The rules of a file.
 *
 * @param basePath path of the interface
 * @throws {UsageError} with every problem, its line and column
 */
export async function readFaultsFile(file: string, basePath: string, io: Io): Promise<readonly FaultRule[]> {
  const { value, range } = await readJsonSource(file, io);
  const read = readFaultRules(value, faultTargets(basePath));
  if (read.ok) return read.value.map(({ rule }) => rule);
  const faults = read.problems.map(({ pointer = "", message }) => ({
    at: { file, pointer, ...range(pointer) },
    message,
  }));
  throw new UsageError(`${file} has invalid faults:\n${printFaults(faults)}`);
}
