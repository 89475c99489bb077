/** Leaves out mutants that only change the words of a message: tables of messages are reviewed by eye. */
import { declareValuePlugin, PluginKind } from "@stryker-mutator/api/plugin";

/** A string with two words is a message; names, codes and formats have no space. */
const sentence = /\S \S/;

function textOf(node) {
  if (node.type === "StringLiteral") return node.value;
  if (node.type === "TemplateLiteral") return node.quasis.map((part) => part.value.raw).join("x");
  return "";
}

export const strykerPlugins = [
  declareValuePlugin(PluginKind.Ignore, "messages", {
    shouldIgnore: (path) => (sentence.test(textOf(path.node)) ? "a message" : undefined),
  }),
];
