/** Prints resources in Terraform's language, each value in one of its spellings, beside the plan with the same values. */
import type { ImportFile } from "edgeproof/world";
import { type Entry, planFile } from "./documents.ts";

/** Chooses a number below a bound. */
export type Choose = (bound: number) => number;

/** How the rules and groups of a resource are written: lists and objects, or blocks. */
export type BlockNames = readonly string[];

interface Printer {
  readonly choose: Choose;
  readonly locals: string[];
  readonly variables: string[];
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
};

function printString(text: string): string {
  const escaped = [...text].map((character) => escapes[character] ?? character).join("");
  return `"${escaped.replaceAll(/[$%](?=\{)/g, "$&$&")}"`;
}

/** Only a text that ends its last line can be one. */
function printHeredoc(text: string, indent: string): string {
  const lines = text.slice(0, -1).split("\n");
  const body = lines.map((line) => (line === "" ? "" : indent + line).replaceAll(/[$%](?=\{)/g, "$&$&"));
  return `<<${indent === "" ? "" : "-"}END\n${body.join("\n")}\n  END\n`;
}

/** The literal of a value, over several lines where that is allowed. */
function printLiteral(value: unknown, printer: Printer): string {
  const { choose } = printer;
  if (typeof value === "string") {
    const isText = value.endsWith("\n") && !/[\r\t]/.test(value) && /^\S/.test(value) && !/\n[ ]/.test(value);
    const style = choose(3);
    if (isText && style > 0) return printHeredoc(value, style === 1 ? "" : "    ");
    return printString(value);
  }
  if (Array.isArray(value)) {
    const elements = value.map((element) => printValue(element, printer));
    const comment = choose(2) === 0 ? "" : " # ]\n";
    return `[${comment}${elements.map((element) => `${element.endsWith("\n") ? element : `${element}`}, `).join("")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, member]) => {
      const key = choose(2) === 0 || !/^[a-z]\w*$/i.test(name) ? printString(name) : name;
      return `${key} ${choose(2) === 0 ? "=" : ":"} ${printValue(member, printer)}`;
    });
    return `{ /* } */\n${members.map((member) => `${member.trimEnd()}\n`).join("")}}`;
  }
  return JSON.stringify(value);
}

/** A literal, a local value or a variable that has it, or a template of two parts of a string. */
function printValue(value: unknown, printer: Printer): string {
  const { choose, locals, variables } = printer;
  // Local values of local values end.
  const style = locals.length < 40 ? choose(8) : 7;
  if (style === 0) {
    const at = locals.length;
    locals.push("");
    locals[at] = `l${at} = ${printValue(value, printer).trimEnd()}\n`;
    return `local.l${at}`;
  }
  if (style === 1) {
    const at = variables.length;
    variables.push("");
    variables[at] =
      `variable "v${at}" {\n  default = ${printLiteral(value, { ...printer, choose: (n) => (n === 8 ? 7 : choose(n)) }).trimEnd()}\n}\n`;
    return `var.v${at}`;
  }
  if (style === 2 && typeof value === "string" && value.length > 1 && !/[$%]/.test(value)) {
    const cut = 1 + choose(value.length - 1);
    const at = locals.length;
    locals.push(`l${at} = ${printString(value.slice(cut))}\n`);
    return `${printString(value.slice(0, cut)).slice(0, -1)}\${ local.l${at} }"`;
  }
  return printLiteral(value, printer);
}

function printMember(name: string, value: unknown, blocks: BlockNames, printer: Printer): string {
  if (!blocks.includes(name) || !Array.isArray(value))
    return `${name} = ${printValue(value, printer).trimEnd()}\n`;
  return value.map((block: object) => `${name} {\n${printMembers(block, blocks, printer)}}\n`).join("\n");
}

function printMembers(values: object, blocks: BlockNames, printer: Printer): string {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => printMember(name, value, blocks, printer))
    .join("");
}

/** The plan of resources without ids, and their sources in three files. @param blocks members that are blocks */
export function printBoth(
  entries: readonly Entry[],
  choose: Choose,
  blocks: BlockNames = [],
): { readonly plan: ImportFile; readonly sources: readonly ImportFile[] } {
  const printer: Printer = { choose, locals: [], variables: [] };
  const resources = entries.map(
    ([type, name, values]) => `resource "${type}" "${name}" {\n${printMembers(values, blocks, printer)}}\n`,
  );
  const half = choose(resources.length + 1);
  return {
    plan: planFile(entries),
    sources: [
      { name: "tf/main.tf", text: resources.slice(0, half).join("\n") },
      { name: "tf/other.tf", text: `# }\n${resources.slice(half).join("\n")}` },
      { name: "tf/values.tf", text: `locals {\n${printer.locals.join("")}}\n${printer.variables.join("")}` },
    ],
  };
}
