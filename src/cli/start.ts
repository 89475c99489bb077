/** The parts of the executable that it loads before it knows the command; the build keeps them apart from the commands. */
export { wantsColor } from "./output/color.ts";
export { runCommandLine } from "./run.ts";
export { createSignalHandler } from "./signals.ts";
