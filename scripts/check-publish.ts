/**
 * Reports what npm would correct or warn about when it publishes the package: npm changes a manifest without failing. Works
 * offline and without a login, on the files that a build has written.
 */
import { spawnSync } from "node:child_process";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

/** No registry is asked: nothing listens at the address, and npm reports only that no login for it exists. */
const offline = ["--offline", "--registry=http://127.0.0.1:9/", "--fetch-retries=0"];

/** The warnings of a dry run of `npm publish` in a folder. Throws when the run fails. */
export function publishWarnings(folder: string): readonly string[] {
  const words = ["publish", "--dry-run", "--ignore-scripts", "--loglevel=warn", ...offline];
  const { status, stdout, stderr } = spawnSync("npm", words, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm ${words.join(" ")} ended with exit code ${status}:\n${stderr}`);
  if (!/^\+ \S+@\S+/m.test(stdout)) throw new Error(`npm ${words.join(" ")} published nothing:\n${stdout}`);
  return stderr
    .split("\n")
    .filter((line) => /^npm warn (?:publish )?(?!.*requires you to be logged in)(?!config)/i.test(line));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const warnings = publishWarnings(fileURLToPath(new URL("..", import.meta.url)));
  for (const warning of warnings) console.error(warning);
  if (warnings.length > 0) {
    console.error("npm would publish another manifest than package.json: run `npm pkg fix`.");
    process.exitCode = 1;
  }
}
