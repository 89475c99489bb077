/** Every command of the command line. */

import type { Command } from "../command.ts";
import { check } from "./check.ts";
import { demo } from "./demo.ts";
import { diff } from "./diff.ts";
import { evaluate } from "./eval.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { lint } from "./lint.ts";
import { logo } from "./logo.ts";
import { match } from "./match.ts";
import { render } from "./render.ts";
import { serve } from "./serve.ts";
import { sign } from "./sign.ts";
import { variants } from "./variants.ts";

export const commands: readonly Command[] = [
  check,
  demo,
  diff,
  evaluate,
  exportCommand,
  importCommand,
  lint,
  logo,
  match,
  render,
  serve,
  sign,
  variants,
];
