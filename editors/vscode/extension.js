/** The client of VS Code: starts the language server of the workspace, and connects the editor with it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { commands, window, workspace } from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";

let client;

/** The command of the settings, else the package of the workspace, else a program of the path. */
function serverOptions() {
  const [command, ...args] = workspace.getConfiguration("edgeproof").get("command") ?? [];
  if (command) return { command, args, transport: TransportKind.stdio };
  for (const { uri } of workspace.workspaceFolders ?? []) {
    const main = join(uri.fsPath, "node_modules", "edgeproof", "dist", "cli", "main.js");
    // The program of the editor runs it: on Windows the file in `.bin` is a script that cannot be started directly.
    if (existsSync(main))
      return {
        command: process.execPath,
        args: [main, "lsp"],
        options: { env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" } },
        transport: TransportKind.stdio,
      };
  }
  const shell = process.platform === "win32";
  return { command: "edgeproof", args: ["lsp"], options: { shell }, transport: TransportKind.stdio };
}

const languages = ["json", "jsonc", "yaml", "terraform", "hcl"];

async function start() {
  client = new LanguageClient("edgeproof", "edgeproof", serverOptions(), {
    documentSelector: languages.flatMap((language) => [
      { language, scheme: "file" },
      { language, scheme: "untitled" },
    ]),
  });
  try {
    await client.start();
  } catch (error) {
    const advice =
      "install it: npm install --save-dev edgeproof vscode-languageserver vscode-languageserver-textdocument";
    window.showErrorMessage(`The language server of edgeproof did not start; ${advice} (${error})`);
  }
}

export async function activate(context) {
  const restart = async () => {
    await client?.dispose().catch(() => {});
    await start();
  };
  context.subscriptions.push(commands.registerCommand("edgeproof.restart", restart));
  await start();
}

export async function deactivate() {
  await client?.stop();
}
