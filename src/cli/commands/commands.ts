/** The list of commands. A command's implementation, and with it the engine that it runs, is loaded when it runs. */

import { logo, match, variants } from "../declarations/brand.ts";
import { check } from "../declarations/check.ts";
import { diff } from "../declarations/diff.ts";
import { evaluate } from "../declarations/eval.ts";
import { mcp } from "../declarations/first-steps/agents.ts";
import { demo } from "../declarations/first-steps/demo.ts";
import { playground } from "../declarations/first-steps/playground.ts";
import { configPrint, init } from "../declarations/first-steps/project.ts";
import { complete, explain } from "../declarations/first-steps/reference.ts";
import { render, sign } from "../declarations/images.ts";
import { lsp } from "../declarations/lsp.ts";
import { deadDrop, deadList, deadRetry, publish, setup, status, work } from "../declarations/queue.ts";
import { replay } from "../declarations/replay.ts";
import { serve } from "../declarations/serve.ts";
import { observe, reindex, storeExport, storeImport } from "../declarations/store.ts";
import { generate, mutate } from "../declarations/suite.ts";
import { workbench } from "../declarations/workbench.ts";
import { worldFrom, worldKeys, worldPull } from "../declarations/world.ts";
import { type Command, connect } from "../declare.ts";

/** The commands, in the order of help. */
export const commands: readonly Command[] = [
  connect(demo, () => import("./demo.ts")),
  connect(init, () => import("./project/init.ts")),
  connect(configPrint, () => import("./project/print.ts")),
  connect(workbench, () => import("./service/workbench.ts")),
  connect(playground, () => import("./service/playground.ts")),
  connect(lsp, () => import("./service/lsp.ts")),
  connect(serve, () => import("./service/serve.ts")),
  connect(worldFrom, () => import("./configuration/world.ts")),
  connect(worldPull, () => import("./configuration/pull.ts")),
  connect(worldKeys, () => import("./configuration/keys.ts")),
  connect(check, () => import("./check/check.ts")),
  connect(evaluate, () => import("./eval.ts")),
  connect(diff, () => import("./diff.ts")),
  connect(replay, () => import("./replay.ts")),
  connect(generate, () => import("./suite/generate.ts")),
  connect(mutate, () => import("./suite/mutate.ts")),
  connect(match, () => import("./names/match.ts")),
  connect(variants, () => import("./names/variants.ts")),
  connect(logo, () => import("./logo.ts")),
  connect(render, () => import("./render.ts")),
  connect(sign, () => import("./sign.ts")),
  connect(storeExport, () => import("./service/export.ts")),
  connect(storeImport, () => import("./service/import.ts")),
  connect(reindex, () => import("./service/reindex.ts")),
  connect(observe, () => import("./service/observe.ts")),
  connect(publish, () => import("./service/publish.ts")),
  connect(work, () => import("./service/worker.ts")),
  connect(status, async () => ({ run: (await import("./service/queue.ts")).printStatus })),
  connect(setup, async () => ({ run: (await import("./service/queue.ts")).setUp })),
  connect(deadList, async () => ({ run: (await import("./service/queue.ts")).listDead })),
  connect(deadRetry, async () => ({ run: (await import("./service/queue.ts")).retryDead })),
  connect(deadDrop, async () => ({ run: (await import("./service/queue.ts")).dropDead })),
  connect(mcp, () => import("./agents/mcp.ts")),
  connect(explain, () => import("./explain/explain.ts")),
  connect(complete, () => import("./complete.ts")),
];
