/** `edgeproof store`: its subcommands, which move, fill and update a store. */
import { declare, flag } from "../declare.ts";
import { acceptOptions, jsonOption } from "../options/output.ts";
import { accountOption, storeOption } from "../options/stores.ts";

const oneFile = { usage: "[file]", min: 0, max: 1, expected: "at most 1 file" } as const;

export const storeExport = declare({
  name: "store export",
  summary: "Write the contents of a store to one file.",
  about: [
    "For a backup, or to move a store to another database. Without a file, or with `-`, the export goes to standard output. It has the secrets of the store in plain text.",
  ],
  arguments: oneFile,
  options: { ...storeOption, ...jsonOption },
  exits: {
    0: "The whole store is written.",
    2: "The store or the file cannot be used, or the command was stopped; no file is left.",
  },
  examples: [
    "edgeproof store export --data ./edge.db edge.jsonl.gz",
    "edgeproof store export --data postgres://edge@localhost/edge | edgeproof store import --data ./edge.db",
  ],
  schema: "export",
  conflict: ({ json }, [path = "-"]) =>
    json && path === "-" && "--json needs a file name: the export itself goes to standard output",
});

export const storeImport = declare({
  name: "store import",
  summary: "Import an export file into an empty store: all of it, or nothing.",
  about: [
    "The file is checked before anything is written. Without a file, or with `-`, it is read from standard input.",
    "An import that was interrupted can be repeated: until its end the store has only blobs, which the same file replaces.",
  ],
  arguments: oneFile,
  options: {
    ...storeOption,
    replace: flag("Remove first what an interrupted import of another file left. Records are never removed."),
    ...jsonOption,
  },
  exits: {
    0: "The whole file is imported.",
    2: "The store or the file cannot be used, or the command was stopped; nothing is imported.",
  },
  examples: ["edgeproof store import --data postgres://edge@localhost/edge edge.jsonl.gz"],
  schema: "import",
});

export const reindex = declare({
  name: "store reindex",
  summary: "Describe the stored logos and pictures again that an earlier version described.",
  about: [
    "A new version of edgeproof may describe pictures in another way. A stored logo or scanned picture is then described again when it is first needed, which makes the first search slow; this command does it for all of them. It can be stopped and started again, and a server may use the store meanwhile.",
  ],
  options: { ...storeOption, ...jsonOption },
  exits: {
    0: "All stored pictures have descriptors of this version, except those that are listed as skipped.",
    2: "The store cannot be used, or the command was stopped; what was described is kept.",
  },
  examples: ["edgeproof store reindex --data ./edge.db"],
  schema: "reindex",
});

export const observe = declare({
  name: "store observe",
  summary: "Store observed names and pictures, and match them with the queries of accounts.",
  about: [
    "A file has a name or a record as JSON on each line (`-` is standard input; gzip is decompressed); a folder has pictures, and `shot.png.json` beside `shot.png` has its domain, registrar, url_scan_id and matched_at. What is stored already is counted as duplicate, so that the command can be repeated.",
    "A picture is described once for all accounts. The queries of the accounts are matched with everything that is stored; a server may use the store meanwhile.",
  ],
  arguments: { usage: "<file|folder...>", min: 1, expected: "files or folders to observe" },
  options: { ...storeOption, ...accountOption, ...jsonOption, ...acceptOptions },
  exits: {
    0: "Everything is stored.",
    1: "Some names or pictures are not valid, and the others are stored; or there is no name or picture.",
    2: "The store, an account or a file cannot be used, or the command was stopped; what was stored is kept.",
  },
  examples: [
    "edgeproof store observe --data ./edge.db --account a1 names.txt",
    "edgeproof store observe --data postgres://edge@localhost/edge --account a1,a2 shots/",
  ],
  schema: "observe",
  conflict: ({ account }, words) =>
    account.length > 1 &&
    words.includes("-") &&
    "standard input can be read only once; use a file for several accounts",
});
