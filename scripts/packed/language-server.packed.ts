/** The language server of the installed executable: its thread and the commands are files of one bundle. */

import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const manifest = createRequire(import.meta.url).resolve("edgeproof/package.json");

const text = JSON.stringify({
  zones: [
    {
      id: "z1",
      name: "example.com",
      token_validation: {
        configs: [],
        rules: [{ title: "a", action: "block", expression: 'http.hos eq "a"', selector: {} }],
        operations: [],
      },
    },
  ],
});

test("a faulty expression of an open document is reported", async () => {
  const child = spawn(process.execPath, [join(dirname(manifest), "dist/cli/main.js"), "lsp", "--stdio"]);
  try {
    const send = (message: object) => {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    let received = "";
    const reported = new Promise<void>((resolve, reject) => {
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        received += chunk;
        if (received.includes("did you mean `http.host`?")) resolve();
      });
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}: ${received}`)));
    });
    send({ id: 1, method: "initialize", params: { processId: null, rootUri: null, capabilities: {} } });
    send({ method: "initialized", params: {} });
    const textDocument = { uri: "file:///none/world.json", languageId: "json", version: 1, text };
    send({ method: "textDocument/didOpen", params: { textDocument } });
    await reported;
    expect(received).toContain("textDocument/publishDiagnostics");
  } finally {
    child.kill();
  }
});
