/** A request and its verdict as texts to copy: a test, a curl command, a command line. */

import { runCommand } from "../../core/text/run-command.ts";
import { shellWord } from "../../core/text/shell-word.ts";
import type { Copies, PlainRequest } from "../messages.ts";
import { printCurl } from "./print-curl.ts";

/** Where an evaluation took place. */
export interface CopyContext {
  /** Id of the zone. */
  readonly zone: string;
  /** Path of the world file, as the command was given it. */
  readonly worldPath: string;
  /** Action of the verdict. */
  readonly action: string;
  /** Time of the evaluation, in milliseconds since 1970. */
  readonly nowMs: number;
}

/** The texts. They have the request's tokens, as the page's user pasted them. */
export function printCopies(request: PlainRequest, context: CopyContext): Copies {
  return { curl: printCurl(request), test: printTest(request, context), cli: printCommand(request, context) };
}

function printTest(request: PlainRequest, { zone, worldPath, action, nowMs }: CopyContext): string {
  const { method, url, headers, ...others } = request;
  const path = /^[./]/.test(worldPath) ? worldPath : `./${worldPath}`;
  const pairs = headers.map(([name, value]) => `      [${JSON.stringify(name)}, ${JSON.stringify(value)}],`);
  const [origin = url] = url.split("?");
  return [
    'import { createEdge } from "edgeproof";',
    'import { expect, test } from "vitest";',
    `import world from ${JSON.stringify(path)} with { type: "json" };`,
    "",
    `test(${JSON.stringify(`${method} ${origin}: ${action}`)}, async () => {`,
    `  const clock = () => Date.parse(${JSON.stringify(new Date(nowMs).toISOString())});`,
    "  const edge = createEdge({ world, clock });",
    `  const verdict = await edge.tokens.evaluate(${JSON.stringify(zone)}, {`,
    `    method: ${JSON.stringify(method)},`,
    `    url: ${JSON.stringify(url)},`,
    ...(pairs.length > 0 ? ["    headers: [", ...pairs, "    ],"] : []),
    ...Object.entries(others).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`),
    "  });",
    `  expect(verdict.action, verdict.explain()).toBe(${JSON.stringify(action)});`,
    "});",
    "",
  ].join("\n");
}

function printCommand(request: PlainRequest, { zone, worldPath, action, nowMs }: CopyContext): string {
  const now = new Date(nowMs).toISOString();
  const words = ["--world", worldPath, "--zone", zone, "--now", now, "--expect", action, "--requests", "-"];
  const json = JSON.stringify(request);
  return `printf %s ${shellWord(json)} |\n  ${runCommand} eval ${words.map(shellWord).join(" ")} --explain`;
}
