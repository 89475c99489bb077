#!/usr/bin/env bash
# Runs edgeproof for action.yml: prints the output, appends the summary, and ends with the exit code of the command.
set -uo pipefail

# Split at spaces, with patterns expanded. Not read as a command: a name from a pattern is one word, whatever it contains.
# shellcheck disable=SC2206
words=($EDGEPROOF_ARGUMENTS)

if [ -n "$EDGEPROOF_VERSION" ]; then
  package="edgeproof@$EDGEPROOF_VERSION"
elif [ -e node_modules/.bin/edgeproof ]; then
  package=edgeproof
else
  package="edgeproof@$(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).version' "$EDGEPROOF_ACTION/package.json")"
fi

run() {
  # The unusual expansion is for bash 3, to which an empty list is an unset variable.
  # The command is not quoted: it can be several words, such as `suite mutate`.
  # shellcheck disable=SC2086
  npx --yes "$package" $EDGEPROOF_COMMAND ${words[@]+"${words[@]}"} --format "$1"
}

# Prints text in which the runner reads no workflow command: names in files are untrusted.
print_inert() {
  local token
  token=$(node -p 'crypto.randomUUID()')
  printf '::stop-commands::%s\n' "$token"
  cat "$@"
  printf '\n::%s::\n' "$token"
}

# Ends without a result: exit code 3, which the next step of the action reports.
end_without_result() {
  [ -n "${GITHUB_OUTPUT:-}" ] && echo "exit-code=3" >>"$GITHUB_OUTPUT"
  exit 3
}

folder=$(mktemp -d) || end_without_result
trap 'rm -rf "$folder"' EXIT

# npx ends with 1, the code of a finding, when it cannot find or install the package.
if ! npx --yes "$package" --version >"$folder/out" 2>"$folder/err"; then
  print_inert "$folder/err"
  end_without_result
fi

run "$EDGEPROOF_FORMAT" >"$folder/out" 2>"$folder/err"
code=$?
# A command that was killed has no result either.
case "$code" in 0 | 1 | 2) ;; *) code=3 ;; esac
if [ -n "$EDGEPROOF_OUTPUT" ]; then
  cp "$folder/out" "$EDGEPROOF_OUTPUT" || code=2
elif [ "$EDGEPROOF_FORMAT" = github ]; then
  # Annotations, with everything untrusted escaped.
  cat "$folder/out"
elif [ -s "$folder/out" ]; then
  print_inert "$folder/out"
fi
[ -s "$folder/err" ] && print_inert "$folder/err"
[ "$code" -eq 2 ] && echo "::error title=edgeproof::The command could not be run; the log of the step has the reason."

if [ "$EDGEPROOF_SUMMARY" = true ] && [ "$code" -le 1 ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  run markdown >>"$GITHUB_STEP_SUMMARY" 2>"$folder/err" || true
fi
[ -n "${GITHUB_OUTPUT:-}" ] && echo "exit-code=$code" >>"$GITHUB_OUTPUT"
exit "$code"
