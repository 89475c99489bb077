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

folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT

run "$EDGEPROOF_FORMAT" >"$folder/out" 2>"$folder/err"
code=$?
if [ -n "$EDGEPROOF_OUTPUT" ]; then
  cp "$folder/out" "$EDGEPROOF_OUTPUT" || code=2
elif [ "$EDGEPROOF_FORMAT" = github ]; then
  # Annotations, with everything untrusted escaped.
  cat "$folder/out"
elif [ -s "$folder/out" ]; then
  print_inert "$folder/out"
fi
[ -s "$folder/err" ] && print_inert "$folder/err"
[ "$code" -gt 1 ] && echo "::error title=edgeproof::The command could not be run; the log of the step has the reason."

if [ "$EDGEPROOF_SUMMARY" = true ] && [ "$code" -le 1 ] && [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  run markdown >>"$GITHUB_STEP_SUMMARY" 2>"$folder/err" || true
fi
[ -n "${GITHUB_OUTPUT:-}" ] && echo "exit-code=$code" >>"$GITHUB_OUTPUT"
exit "$code"
