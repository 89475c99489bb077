/** `edgeproof complete`: the script of a shell, and the words that it asks for. */
import { UsageError } from "../command.ts";
import { completeWords } from "../completion.ts";
import { type complete, shells } from "../declarations/first-steps/reference.ts";
import type { InvocationOf } from "../declare.ts";

/** Each script passes the words before the cursor; without an answer the shell completes files. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `_edgeproof() {
  local IFS=$'\\n'
  COMPREPLY=($(edgeproof complete --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _edgeproof edgeproof
`,
  zsh: `#compdef edgeproof
_edgeproof() {
  local -a found
  found=("\${(@f)$(edgeproof complete --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -- $found; else _files; fi
}
if [[ "$funcstack[1]" = _edgeproof ]]; then _edgeproof; else compdef _edgeproof edgeproof; fi
`,
  fish: `function __edgeproof
  set -l words (commandline -opc)[2..]
  set -l last "$(commandline -ct)"
  set -l found (edgeproof complete --words -- $words $last 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else
    __fish_complete_path $last
  end
end
complete -c edgeproof -f -a '(__edgeproof)'
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName edgeproof -ScriptBlock {
  param($last, $line, $cursor)
  $before = $line.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.StartOffset -lt $cursor }
  $words = @($before | ForEach-Object { "$_" })
  if ($last -eq '') { $words += ' ' }
  edgeproof complete --words -- @words 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};

export async function run({ options, words, io, commands }: InvocationOf<typeof complete>): Promise<number> {
  if (options.words) {
    const found = await completeWords(commands, words);
    io.stdout.write(found.map((word) => `${word}\n`).join(""));
    return 0;
  }
  const [shell = "", ...more] = words;
  const known = shells.find((candidate) => candidate === shell);
  if (known === undefined || more.length > 0)
    throw new UsageError(`the shell must be ${shells.join(", ")}; found \`${words.join(" ")}\``);
  io.stdout.write(scripts[known]);
  return 0;
}
