/** `edgeproof demo`: shows the main features on built-in samples, one section an area. */

import { runCommand } from "../../core/text/run-command.ts";
import { formatDocument, type Output } from "../command.ts";
import type { demo } from "../declarations/first-steps/demo.ts";
import type { InvocationOf } from "../declare.ts";
import { brandSection } from "../demo/brand.ts";
import { customRulesSection } from "../demo/custom-rules.ts";
import type { DemoTable } from "../demo/demo-table.ts";
import { imagesSection } from "../demo/images.ts";
import { proxySection } from "../demo/proxy.ts";
import { tokensSection } from "../demo/tokens.ts";
import { colorLines } from "../output/color.ts";
import { printTable } from "../output/table.ts";

const sections: readonly (() => Promise<readonly DemoTable[]>)[] = [
  tokensSection,
  customRulesSection,
  brandSection,
  imagesSection,
  proxySection,
];

export async function run({ options, io }: InvocationOf<typeof demo>): Promise<number> {
  const asJson = options.json;
  const printed: object[] = [];
  for (const section of sections) {
    for (const table of await section()) {
      if (asJson) printed.push(tableToJson(table));
      else io.stdout.write(colorLines(io.stdout, formatTable(io.stdout, table)));
    }
  }
  io.stdout.write(asJson ? formatDocument(printed) : `\nnext: ${runCommand} init\n`);
  return 0;
}

function formatTable(output: Output, { title, header, rows, notes = [] }: DemoTable): string {
  const below = notes.map((note) => `\n${note}\n`).join("");
  return `\n${title}\n\n${printTable(output, header, rows)}${below}`;
}

function tableToJson({ area, title, header, rows, notes = [] }: DemoTable): object {
  const named = rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ""])));
  return { area, title, rows: named, notes };
}
