#!/usr/bin/env node
/** The executable: connects `runCommandLine` to the process. */
import { once } from "node:events";
import { availableParallelism } from "node:os";
import type { Io, Output } from "./command.ts";

// Node.js would end with 1 for an error that nothing handles, the exit code of a finding (docs/outcomes.md).
process.on("uncaughtException", (error: unknown) => {
  const reason = (error instanceof Error && error.stack) || error;
  process.stderr.write(`edgeproof: internal error: ${reason}\n`, () => process.exit(3));
});

// Loaded late, so that a file that cannot be loaded is such an error too.
const { createSignalHandler, runCommandLine, wantsColor } = await import("./start.ts");

function output(stream: NodeJS.WriteStream): Output {
  return {
    write: (chunk) => {
      stream.write(chunk);
    },
    drained: async () => {
      if (stream.writableNeedDrain) await once(stream, "drain");
    },
    isTerminal: stream.isTTY === true,
    // Read again for each table: a terminal can be resized.
    get columns() {
      return stream.columns;
    },
    hasColor: wantsColor(stream.isTTY === true, process.env),
  };
}

/** 128 and the number of SIGPIPE. */
const closedPipeCode = 141;

const stop = new AbortController();
// A reader that closes the pipe early (`| head`) ends the command as it ends others, and never as a success.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(closedPipeCode);
    throw error;
  });

const io: Io = {
  stdin: process.stdin,
  stdout: output(process.stdout),
  stderr: output(process.stderr),
  env: process.env,
  signal: stop.signal,
  processors: availableParallelism(),
  handleSignals: createSignalHandler(stop),
};
process.exitCode = await runCommandLine(process.argv.slice(2), io);
// Open input or an unanswered query would keep the process alive.
if (stop.signal.aborted) process.exit();
