/** Recognizes Terraform's own language, which is not read, so that messages can say what to run. */

/** A clause with what to run instead. */
export const configurationHint =
  "it is a configuration in Terraform's language; run `terraform plan -out plan.bin && terraform show -json plan.bin > plan.json`, and give plan.json";

/**
 * Whether a text begins with a block of a `.tf` file, after comments.
 *
 * @example isConfigurationText('resource "cloudflare_zone" "main" {') // true
 */
export function isConfigurationText(text: string): boolean {
  const start = text.slice(0, 65_536).replaceAll(/^[ \t]*(?:#|\/\/).*$/gm, "");
  return /^\s*(?:resource|data|variable|output|locals|module|terraform|provider|moved|import|removed|check|mock_provider|run)\b[^\n{]*\{/.test(
    start,
  );
}
