/** A project in a temporary folder, in which commands run. */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type CliResult, edgeproof } from "../../support/cli.ts";

export interface ProjectFolder {
  readonly path: string;
  /** Writes files by path; other values than strings become JSON. */
  write(files: Readonly<Record<string, unknown>>): Promise<void>;
  /** Runs a command in the folder, or in one in it. */
  run(words: readonly string[], inner?: string, input?: string): Promise<CliResult>;
}

/** @param isRepository whether the folder has `.git` */
export async function projectFolder(isRepository = true): Promise<ProjectFolder> {
  const path = await mkdtemp(join(tmpdir(), "edgeproof-"));
  if (isRepository) await mkdir(join(path, ".git"));
  return {
    path,
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(dirname(join(path, name)), { recursive: true });
        await writeFile(join(path, name), typeof content === "string" ? content : JSON.stringify(content));
      }
    },
    run: async (words, inner = ".", input = "") => {
      const before = process.cwd();
      process.chdir(join(path, inner));
      try {
        return await edgeproof(words, input);
      } finally {
        process.chdir(before);
      }
    },
  };
}

const valid = 'is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e")';

/** A world file with one rule. @param expression an expression that is always true is a finding */
export function worldWith(expression = valid, name = "example.com", action = "block") {
  const selector = { include: [{ host: [`api.${name}`] }] };
  const rule = { id: "e39906b7-1f42-8853-95c2-d5bca1595226", title: "tokens", action, expression, selector };
  const config = {
    id: "51231d16-01f1-48e3-93f8-91c99e81288e",
    token_sources: ['http.request.headers["authorization"][0]'],
    credentials: {
      keys: [
        {
          kid: "k1",
          kty: "EC",
          crv: "P-256",
          alg: "ES256",
          x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
          y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        },
      ],
    },
  };
  const zone = {
    id: name.replaceAll(".", "-"),
    name,
    token_validation: { configs: [config], rules: [rule] },
  };
  return { zones: [zone] };
}

/** An expression that is always true. */
export const alwaysTrue = `${valid} or not ${valid}`;
