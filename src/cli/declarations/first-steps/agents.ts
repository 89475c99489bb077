/** `edgeproof mcp`: its help. */
import { declare } from "../../declare.ts";

export const mcp = declare({
  name: "mcp",
  summary: "Serve read-only tools for coding agents over standard input and output.",
  about: [
    "Speaks the Model Context Protocol, so that an agent can check rules, evaluate requests, compare two versions, write or measure a suite, and ask what a rule, a code or a word of the language means. It needs the package @modelcontextprotocol/sdk.",
    "The tools only read: files in the working folder, after links are resolved, and never the network. The configuration file of a project is not used. Answers have at most 16,000 characters; the rest follows by line.",
  ],
  options: {},
  exits: {
    0: "The input ended after an agent's session, or the command was stopped.",
    2: "Standard input is not that of an agent.",
  },
  examples: ["npx edgeproof mcp"],
  ignoresProject: true,
});
