/** The options and arguments that a configuration file gives one command. */
import type { Command } from "../declare.ts";
import type { Configured } from "../parse.ts";
import type { ConfigFile } from "./config-file.ts";
import { sharedOptions } from "./members.ts";
import type { Setting } from "./project.ts";

/** Settings of the command have precedence over shared settings, and shared settings over worlds and suites. */
export function settingsOf(command: Command, file: ConfigFile, commands: readonly Command[]): Configured {
  const shared = sharedOptions(commands);
  const own = file.commands.get(command.name);
  const options = new Map<string, Setting>();
  const missing = new Map<string, string>();
  for (const [name, option] of Object.entries(command.options)) {
    const isShared = shared.get(name)?.option.read === option.read;
    const setting =
      own?.get(name) ?? (isShared ? file.shared.get(name) : undefined) ?? ofProject(option.from, file);
    if (setting) options.set(name, setting);
    else if (option.from === "worlds" && file.project.worlds.size > 0)
      missing.set(name, `worlds of ${file.project.file}: ${[...file.project.worlds.keys()].join(", ")}`);
  }
  const words = file.arguments.get(command.name) ?? argumentsOf(command, file);
  return { options, missing, ...(words && { arguments: words }) };
}

/** The only world, or the suites. */
function ofProject(from: "worlds" | "suites" | undefined, { project }: ConfigFile): Setting | undefined {
  if (from === "suites") return project.suites;
  const [only, ...more] = from === "worlds" ? project.worlds : [];
  return only && more.length === 0 ? { words: [only[0]], at: only[1].at } : undefined;
}

/** The worlds as arguments, for a command that reads all of them, or the only one. */
function argumentsOf({ arguments: accepted }: Command, { project }: ConfigFile): Setting | undefined {
  const names = [...project.worlds.keys()];
  const [first] = project.worlds.values();
  if (!first || accepted?.from === undefined) return undefined;
  return accepted.from === "all worlds" || names.length === 1 ? { words: names, at: first.at } : undefined;
}
