/** `edgeproof config print` and `edgeproof init`: the configuration file of a project. */
import { declare } from "../../declare.ts";
import { jsonOption } from "../../options/output.ts";

export const configPrint = declare({
  name: "config print",
  summary: "Show what the configuration file of the project says, and where each value comes from.",
  about: [
    "Prints the file, its worlds and suites, and the options that it gives commands, each with its line. With the words of a command after `--`, prints every value with which this command would run: of the command line, of the file, or the default.",
  ],
  arguments: {
    usage: "[-- command...]",
    min: 0,
    expected: "a command with its options",
  },
  options: jsonOption,
  exits: {
    0: "The configuration was printed.",
    1: "There is no configuration file.",
  },
  examples: ["edgeproof config print", "edgeproof config print -- check"],
  schema: "config",
});

export const init = declare({
  name: "init",
  summary: "Write a configuration file for what is in this folder, and a first suite of requests.",
  about: [
    "Looks through the folder for Terraform plans, states and sources, saved responses, world files, OpenAPI documents, recorded traffic (HAR) and files of requests, and writes edgeproof.config.yaml. When a world has custom or token rules, also writes a suite of requests that notices every change of a rule. No file is ever overwritten.",
  ],
  options: jsonOption,
  exits: {
    0: "The file was written.",
    1: "Nothing to configure was found; no file is written.",
    2: "There is a configuration file already, or a file cannot be written.",
  },
  examples: ["edgeproof init"],
  schema: "init",
  ignoresProject: true,
});
