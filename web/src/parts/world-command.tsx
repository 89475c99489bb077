/** The command that opens this page over a world file. */
import { runCommand } from "../../../src/core/text/run-command.ts";

const command = `${runCommand} workbench --world world.json`;

export function WorldCommand() {
  return <code>{command}</code>;
}
