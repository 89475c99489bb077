/** The language server as an editor sees it: a real process, its protocol, and real files. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  CodeActionRequest,
  CompletionRequest,
  DefinitionRequest,
  type Diagnostic,
  DidChangeTextDocumentNotification,
  DocumentFormattingRequest,
  HoverRequest,
  ReferencesRequest,
  RenameRequest,
  type TextEdit,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { edgeproof } from "../../support/cli.ts";
import { startEditor, type TestEditor } from "./client.ts";

const id = "4a7e5d2c-0000-4000-8000-000000000000";
const unknown = "4a7e5d2c-0000-4000-8000-000000000001";

const key = {
  kty: "EC",
  crv: "P-256",
  alg: "ES256",
  kid: "k1",
  x: "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY",
  y: "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU",
};

const ruleOf = (title: string, expression: string) => ({
  title,
  action: "block",
  enabled: true,
  expression,
  selector: { include: [{ host: ["api.example.com"] }] },
});

const customPhase = "http_request_firewall_custom";

const worldOf = (...expressions: readonly string[]) => ({
  zones: [
    {
      id: "z1",
      name: "example.com",
      token_validation: {
        configs: [
          {
            id,
            title: "Shop",
            token_sources: ['http.request.headers["authorization"][0]'],
            credentials: { keys: [key] },
          },
        ],
        rules: expressions.map((expression, i) => ruleOf(`rule ${i}`, expression)),
        operations: [{ operation_id: "op1", method: "GET", host: "api.example.com", endpoint: "/v1/{id}" }],
      },
      rulesets: [
        {
          kind: "zone",
          phase: customPhase,
          rules: [
            {
              action: "block",
              expression: `lookup_json_string(http.request.jwt.claims["${id}"][0], "aud") eq "x"`,
            },
          ],
        },
      ],
    },
  ],
});

const print = (world: unknown) => `${JSON.stringify(world, null, 2)}\n`;

let editor: TestEditor;
let folder: string;

beforeAll(async () => {
  editor = await startEditor();
  folder = mkdtempSync(join(tmpdir(), "edgeproof-lsp-"));
});
afterAll(async () => {
  expect(await editor.end()).toBe(0);
  expect(editor.errors()).toBe("");
  rmSync(folder, { recursive: true });
});

let opened = 0;

/** Writes a file, and opens it in the editor. */
function openFile(name: string, text: string, languageId = "json") {
  const path = join(folder, `${++opened}-${name}`);
  writeFileSync(path, text);
  const uri = pathToFileURL(path).href;
  editor.open(uri, text, languageId);
  return { path, uri, document: TextDocument.create(uri, languageId, 1, text) };
}

const placeOf = ({ document }: { readonly document: TextDocument }, part: string, after = part.length) => ({
  textDocument: { uri: document.uri },
  position: document.positionAt(document.getText().indexOf(part) + after),
});

const wholeOf = ({ uri, document }: { readonly uri: string; readonly document: TextDocument }) => ({
  textDocument: { uri },
  range: { start: { line: 0, character: 0 }, end: document.positionAt(document.getText().length) },
  context: { diagnostics: [] },
});

const rulesOf = (found: readonly Diagnostic[]) => found.map(({ code }) => code).sort();

describe("findings", () => {
  test("are those of `check`, with the place in an expression", async () => {
    const text = print(
      worldOf(`not is_jwt_valid("${unknown}")`, "http.host eqq 1", 'http.host eq "a" or http.host eq "a"'),
    );
    const file = openFile("world.json", text);
    const found = await editor.findings(file.uri, 1, (all) => all.some(({ code }) => code === "claim-type"));
    const { out } = await edgeproof(["check", file.path, "--format", "json"]);
    const { diagnostics } = JSON.parse(out) as { diagnostics: { rule: string; message: string }[] };
    expect(rulesOf(found)).toEqual(diagnostics.map(({ rule }) => rule).sort());
    const messages = found.map(({ message }) => String(message).split("\n")[0]).sort();
    expect(messages).toEqual(diagnostics.map(({ message }) => message).sort());
    const typed = found.find(({ message }) => String(message).includes("eqq"))!;
    expect(file.document.getText(typed.range)).toBe("eqq");
    const reference = found.find(({ code }) => code === "unknown-config")!;
    expect(file.document.getText(reference.range)).toBe(unknown);
  });

  test("of each kind of file are reported, and a file of another kind has none", async () => {
    const application =
      "- protocol: tcp/22\n  dns: { type: CNAME, name: ssh.example.com }\n  origin_port: 99999\n";
    const applications = openFile("apps.yaml", application, "yaml");
    expect(await editor.findings(applications.uri, 1, (all) => all.length > 0)).not.toEqual([]);
    const requests = openFile("requests.json", '[{ "url": "https://a.example/", "expect": "alow" }]');
    const [found] = await editor.findings(requests.uri, 1, (all) => all.length > 0);
    expect(requests.document.getText(found!.range)).toBe('"alow"');
    const broken = openFile("broken.json", '{ "zones": [{ "id": "z1", "token_validation": {} ');
    const [syntax] = await editor.findings(broken.uri, 1, (all) => all.length > 0);
    expect(syntax!.code).toBe("syntax");
    const other = openFile("package.json", '{ "name": "x", "zones": 1 ');
    expect(await editor.findings(other.uri, 1)).toEqual([]);
  });

  test("of a comment or a change in progress are those of the last version", async () => {
    const file = openFile("world.json", print(worldOf("http.host eqq 1")));
    for (let version = 2; version < 20; version++)
      editor.change(file.uri, version, print(worldOf(`http.host e${"q".repeat(version)} 1`)));
    editor.change(file.uri, 20, print(worldOf(`is_jwt_valid("${id}")`)));
    const found = await editor.findings(file.uri, 20, (all) => all.some(({ code }) => code === "claim-type"));
    expect(rulesOf(found)).not.toContain("invalid");
  });
});

describe("fixes", () => {
  test("applied to the text leave a file without the finding", async () => {
    const file = openFile("world.json", print(worldOf(`is_jwt_valid("${unknown}")`)));
    await editor.findings(file.uri, 1, (all) => all.some(({ code }) => code === "claim-type"));
    const actions = await editor.connection.sendRequest(CodeActionRequest.type, wholeOf(file));
    const edits = actions!.flatMap((action) =>
      "edit" in action ? (action.edit?.changes?.[file.uri] ?? []) : [],
    );
    expect(edits).toHaveLength(2);
    writeFileSync(file.path, TextDocument.applyEdits(file.document, edits));
    const { out } = await edgeproof(["check", file.path, "--format", "json"]);
    const rules = (JSON.parse(out) as { diagnostics: { rule: string }[] }).diagnostics.map(
      ({ rule }) => rule,
    );
    expect(rules).not.toContain("unknown-config");
    expect(rules).not.toContain("claim-type");
  });
});

describe("completion and hover", () => {
  test("offer configurations by title, hosts and methods of operations, fields and operators", async () => {
    const text = print(worldOf('is_jwt_valid("', 'http.host eq "', 'http.request.method eq "G" and ht'));
    const file = openFile("world.json", text);
    const labels = async (part: string) => {
      const found = await editor.connection.sendRequest(CompletionRequest.type, placeOf(file, part));
      return (found as { label: string }[]).map(({ label }) => label);
    };
    expect(await labels('is_jwt_valid(\\"')).toEqual(["Shop"]);
    expect(await labels('http.host eq \\"')).toEqual(["api.example.com"]);
    expect(await labels('http.request.method eq \\"')).toEqual(["GET"]);
    expect(await labels("and ht")).toEqual(expect.arrayContaining(["http.host", "lower", "wildcard", "not"]));
    expect(await labels('http.request.jwt.claims[\\"')).toEqual(["Shop"]);
  });

  test("offer the ids and addresses of open worlds in requests", async () => {
    openFile("world.json", print(worldOf()));
    const file = openFile("requests.yaml", `- url: https://a\n  token: { config: "${id}" }\n`, "yaml");
    const urls = await editor.connection.sendRequest(CompletionRequest.type, placeOf(file, "https://a"));
    expect((urls as { label: string }[])[0]!.label).toBe("https://api.example.com/v1/{id}");
    const hover = await editor.connection.sendRequest(HoverRequest.type, placeOf(file, id));
    expect(JSON.stringify(hover!.contents)).toMatch(/Shop.*key `k1`: ES256, EC/);
  });

  test("shows the documentation of words, also of expressions in Terraform", async () => {
    const source = `resource "cloudflare_ruleset" "a" {\n  phase = "${customPhase}"\n  rules {\n    expression = <<-EOT\n      lower(http.host) eq "a"\n      andd ssl\n    EOT\n  }\n}\n`;
    const file = openFile("rules.tf", source, "terraform");
    const hover = await editor.connection.sendRequest(HoverRequest.type, placeOf(file, "lower", 2));
    expect(JSON.stringify(hover!.contents)).toContain("ASCII letters in lower case");
    const [found] = await editor.findings(file.uri, 1, (all) => all.length > 0);
    expect(file.document.getText(found!.range)).toBe("andd");
    const actions = await editor.connection.sendRequest(CodeActionRequest.type, wholeOf(file));
    const [edit] = "edit" in actions![0]! ? actions![0].edit!.changes![file.uri]! : [];
    expect(TextDocument.applyEdits(file.document, [edit!])).toBe(source.replace("andd", "and"));
  });
});

describe("ids", () => {
  test("have a definition, references and a rename in every open document", async () => {
    const world = openFile(
      "world.json",
      print(worldOf(`is_jwt_valid("${id}")`)).replaceAll(id, id.replace("4a", "5b")),
    );
    const own = id.replace("4a", "5b");
    const requests = openFile("r.json", `{ "url": "https://a.example/", "token": { "config": "${own}" } }`);
    const at = placeOf(requests, own);
    const definition = await editor.connection.sendRequest(DefinitionRequest.type, at);
    expect(definition).toEqual([{ uri: world.uri, range: expect.anything() }]);
    const references = await editor.connection.sendRequest(ReferencesRequest.type, {
      ...at,
      context: { includeDeclaration: true },
    });
    expect(references).toHaveLength(4);
    const newName = "aaaaaaaa-0000-4000-8000-00000000000a";
    const renamed = await editor.connection.sendRequest(RenameRequest.type, { ...at, newName });
    const edits = renamed!.changes as Record<string, TextEdit[]>;
    for (const { uri, document } of [world, requests])
      expect(TextDocument.applyEdits(document, edits[uri]!)).toBe(
        document.getText().replaceAll(own, newName),
      );
    const wrong = editor.connection.sendRequest(RenameRequest.type, { ...at, newName: "x" });
    await expect(wrong).rejects.toThrow("The id of a configuration must be a UUID; found `x`");
    const operations = openFile(
      "operations.json",
      print(worldOf())
        .replace('"op1"', '"op2"')
        .replace(
          '"operations": [',
          '"operations": [{ "operation_id": "op3", "method": "PUT", "host": "a.example", "endpoint": "/" },',
        ),
    );
    const taken = { ...placeOf(operations, "op2"), newName: "op3" };
    await expect(editor.connection.sendRequest(RenameRequest.type, taken)).rejects.toThrow(
      "The zone has an operation with the id `op3` already",
    );
  });
});

test("formatting changes expressions only", async () => {
  const text = print(worldOf(`!(is_jwt_valid("${id}")) || http.host == "a"`));
  const file = openFile("world.json", text);
  const edits = await editor.connection.sendRequest(DocumentFormattingRequest.type, {
    textDocument: { uri: file.uri },
    options: { tabSize: 2, insertSpaces: true },
  });
  const formatted = TextDocument.applyEdits(file.document, edits!);
  expect(formatted).toBe(
    text.replace("!(is_jwt", "not is_jwt").replace('\\")) ||', '\\") or').replace("==", "eq"),
  );
});

test.each([
  ["nothing", "", []],
  ["text", "hello\n", []],
  ["another header", "X\r\n\r\n", [/not a message: .*header/]],
])("an input that is not of an editor, %s, is an error", async (_name, text, lines) => {
  const { code, out, err } = await edgeproof(["lsp"], text);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  const expected = [...lines, /without the request `initialize` of the Language Server Protocol/];
  expect(err.trimEnd().split("\n")).toEqual(expected.map((line) => expect.stringMatching(line)));
});

test("without its optional packages it says what to install", () => {
  const hooks = `export const resolve = (name, context, next) => {
    if (!name.startsWith("vscode-")) return next(name, context);
    throw Object.assign(new Error("none"), { code: "ERR_MODULE_NOT_FOUND" });
  };`;
  const register = `import { register } from "node:module"; register(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)});`;
  const imports = ["tsx", `data:text/javascript,${encodeURIComponent(register)}`].flatMap((module) => [
    "--import",
    module,
  ]);
  const { status, stderr } = spawnSync(process.execPath, [...imports, "src/cli/main.ts", "lsp"], {
    encoding: "utf8",
  });
  expect(stderr).toBe(
    "edgeproof: `lsp` needs packages that are not installed: npm install vscode-languageserver vscode-languageserver-textdocument\n",
  );
  expect(status).toBe(3);
});

describe("hostile input", () => {
  test("random changes leave the server running, and the last text has its findings", async () => {
    const file = openFile("world.yaml", "zones:\n  - id: z1\n    token_validation: { rules: [] }\n", "yaml");
    const position = fc.record({ line: fc.nat({ max: 12 }), character: fc.nat({ max: 40 }) });
    const text = fc.string({ unit: fc.constantFrom(..."\n\r -:[]{}\"'|>&*!#a😀\t"), maxLength: 8 });
    for (const [i, [start, end, inserted]] of fc.sample(fc.tuple(position, position, text), 150).entries()) {
      const textDocument = { uri: file.uri, version: i + 2 };
      void editor.connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument,
        contentChanges: [{ range: { start, end }, text: inserted }],
      });
      if (i % 10 > 0) continue;
      const at = { textDocument: { uri: file.uri }, position: start };
      await editor.connection.sendRequest(CompletionRequest.type, at);
      await editor.connection.sendRequest(HoverRequest.type, at);
    }
    editor.change(file.uri, 1_000, print(worldOf("http.host eqq 1")));
    const found = await editor.findings(file.uri, 1_000, (all) =>
      all.some(({ code }) => code === "claim-type"),
    );
    expect(rulesOf(found)).toContain("invalid");
  });

  test("huge, deep and damaged texts and addresses outside of the workspace leave the server running", async () => {
    const texts = [
      "[".repeat(200_000),
      '{"zones":'.repeat(50_000),
      `{"zones":[{"id":"${"x".repeat(5_000_000)}"`,
      "\0",
    ];
    for (const [i, text] of texts.entries()) editor.open(`file:///etc/passwd?${i}`, text);
    for (const uri of ["file:///etc/passwd", "file://host/../../x", "not a uri", "", "javascript:alert(1)"])
      editor.open(uri, "zones:\n  - &a id: *a\n".repeat(50), "yaml");
    const changes = [
      { range: { start: { line: 9e9, character: -1 }, end: { line: -5, character: 9e9 } }, text: "x" },
    ];
    void editor.connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri: "not a uri", version: 2 },
      contentChanges: changes,
    });
    const position = { line: 9e9, character: 9e9 };
    const far = { textDocument: { uri: "file:///etc/passwd" }, position };
    await editor.connection.sendRequest(CompletionRequest.type, far);
    await expect(editor.connection.sendRequest("edgeproof/unknown", {})).rejects.toThrow();
    const file = openFile("world.json", print(worldOf("http.host eqq 1")));
    expect(await editor.findings(file.uri, 1, (all) => all.length > 0)).not.toEqual([]);
    expect(readFileSync(file.path, "utf8")).toBe(file.document.getText());
  });
});
