/** `edgeproof lsp`: its options and help. */
import { declare, flag } from "../declare.ts";

export const lsp = declare({
  name: "lsp",
  summary: "Start the language server, with which an editor checks and completes files.",
  about: [
    "Speaks the Language Server Protocol over standard input and output, for world files, request files and files of proxy applications (JSON, JSON with comments, YAML), and for Terraform's sources: findings of `check` with their fixes, completion, hover, definition, references, rename of ids, and formatting of expressions.",
    "The accepted findings and the options of the configuration file apply, as for `check`; sources of Terraform have the findings of the plan or state in their folder. Only files of the workspace are read, none is written, and nothing is executed. It needs the packages vscode-languageserver and vscode-languageserver-textdocument. docs/editors.md describes VS Code, Neovim and Helix.",
  ],
  options: {
    stdio: flag("Use standard input and output, as without it; editors pass it."),
  },
  exits: {
    0: "The editor ended the server.",
    1: "Standard input ended before the editor asked the server to shut down.",
    2: "Standard input is not that of an editor; standard error says what to do.",
  },
  examples: ["edgeproof lsp", "edgeproof lsp --stdio"],
  ignoresProject: true,
});
