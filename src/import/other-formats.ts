/** Recognizes files that are not read, so that messages can say what to run instead. */

interface OtherFormat {
  /** Whether the start of a text has this format. */
  readonly start: RegExp;
  /** A clause with what to run instead. */
  readonly hint: string;
}

const plan = "run `terraform show -json plan.bin > plan.json`, and give plan.json";
const curl = "copy the request as cURL, and save the commands in a file";

/** Formats with distinctive marks first. */
const otherFormats: readonly OtherFormat[] = [
  {
    start: /^\s*(?:import\b[^\n]*\bfrom\s*['"]k6(?:\/\w+)?['"])/,
    hint: "it is a script of k6; run it through a proxy that saves HAR, and give traffic.har",
  },
  {
    start:
      /^\s*(?:resource|data|variable|output|locals|module|terraform|provider|moved|import|removed|check|mock_provider|run)\b[^\n{;=(]*\{/,
    hint: `it is a configuration in Terraform's language; run \`terraform plan -out plan.bin && terraform show -json plan.bin > plan.json\`, and give plan.json`,
  },
  { start: /^PK(?![\x20-\x7e])/, hint: `it is a ZIP file, as a saved plan of Terraform is; ${plan}` },
  {
    start:
      /^\s*\{(?=[^\n]*"@module")[\s\S]*?"type"\s*:\s*"(?:planned_change|change_summary|resource_drift|apply_start)"/,
    hint: `it is the log of \`terraform plan -json\`, which has no values; ${plan}`,
  },
  {
    start: /^\s*(?:await\s+)?fetch\(\s*['"`]/,
    hint: `it is a call of \`fetch\`; in the browser's tools, ${curl}`,
  },
  {
    start: /^\s*(?:\$session\b|Invoke-(?:WebRequest|RestMethod)\b|(?:iwr|irm)\s)/i,
    hint: `it is a command of PowerShell; in the browser's tools, ${curl}`,
  },
  {
    start: /^\s*https?\s+(?:-[\w-]+(?:=\S+)?\s+)*(?:[A-Z]+\s+)?(?:https?:\/\/|:\d|[\w.-]+\.\w)/,
    hint: "it is a command of HTTPie; write it as `curl -X METHOD URL -H 'name: value'`",
  },
  {
    start:
      /^\s*(?:###[^\n]*\n\s*|@[\w-]+\s*=[^\n]*\n\s*)*(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(?:https?:\/\/|\{\{)\S+(?:[^\S\n][^\n{]*)?(?:\n|$)/,
    hint: `it is a file of requests for an editor (.http); in the editor, ${curl}`,
  },
];

/** The longest start of a text that is looked at, in characters (`chosen`). */
const maxStart = 65_536;

/**
 * A clause with what to run instead, for a text that no reader of this project reads; undefined for any other text.
 *
 * @example otherFormatHint('resource "cloudflare_zone" "main" {')?.includes("terraform show -json") // true
 */
export function otherFormatHint(text: string): string | undefined {
  const whole = text.slice(0, maxStart).replace(/^\ufeff/, "");
  const start = withoutComments(whole);
  return otherFormats.find((format) => format.start.test(start) || format.start.test(whole))?.hint;
}

/** Without the lines that begin with `#` or `//`. */
function withoutComments(text: string): string {
  return text.replaceAll(/^[ \t]*(?:#|\/\/).*$/gm, "");
}
