/** The file with which `terraform test` resolves all expressions without credentials. */
import { runCommand } from "../../core/text/run-command.ts";

/** Failures of a mocked apply, one sentence each. */
export const mockTraps: readonly string[] = [
  "Provisioners run, also under a mocked provider: `local-exec` starts its command. Remove them, or run the test in a container.",
  "A provider that is not mocked creates real resources: add a `mock_provider` block for every provider of the configuration, aliases included.",
];

const usage: readonly string[] = [
  "Resolves every expression of this configuration with a mocked provider: nothing is created, no credentials are used.",
  "Needs Terraform 1.7 or later. Run it in the folder of the configuration:",
  "  terraform init",
  "  terraform test -json -verbose > test.ndjson",
  `  ${runCommand} check test.ndjson`,
  "Variables without a default are passed with -var or -var-file.",
];

/** Mocked data sources return random text, so that the names of zones are asked for. */
const dataNote: readonly string[] = [
  "Data sources return random text. When one of them reads the zone, name it here, with the values of your zone:",
  "",
  'mock_provider "cloudflare" {',
  "  override_data {",
  "    target = data.cloudflare_zone.main",
  '    values = { id = "0123456789abcdef0123456789abcdef", name = "example.com" }',
  "  }",
  "}",
];

/**
 * The text of `edgeproof.tftest.hcl`.
 *
 * @example
 * ```ts
 * terraformMockFile().includes('mock_provider "cloudflare" {}'); // => true
 * ```
 */
export function terraformMockFile(): string {
  const traps = mockTraps.flatMap((trap, i) => [`${i + 1}. ${trap}`]);
  const comment = [...usage, "", "Two traps:", ...traps, "", ...dataNote];
  return [
    ...comment.map((line) => `# ${line}`.trimEnd()),
    "",
    'mock_provider "cloudflare" {}',
    "",
    'run "world" {',
    "  command = apply",
    "}",
    "",
  ].join("\n");
}
