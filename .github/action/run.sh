#!/usr/bin/env bash
# Runs the suites. The summary, the report and the outputs are written however the run ends; its exit code is kept.
set -o pipefail

# One argument per line of a variable, each after a flag if one is given.
lines() {
  local line
  while IFS= read -r line || [ -n "$line" ]; do
    line=${line%$'\r'}
    [ -z "$line" ] || args+=(${2:+"$2"} "$line")
  done <<<"$1"
}

args=()
lines "$SUITE"
lines "$MODEL" --model
lines "$LIMIT" --limit
lines "$SAMPLE" --sample
lines "$FAIL_UNDER" --fail-under
lines "$ARGS"
sightline() { node "$SIGHTLINE_MAIN" "$@"; }

result=$(mktemp)
sightline run "${args[@]}" --log-dir "$LOG_DIR" --json >"$result"
code=$?

ids=()
while IFS= read -r id; do ids+=("$id"); done < <(
  node -e 'for (const { id, report } of JSON.parse(require("node:fs").readFileSync(0, "utf8") || "[]")) if (report.finished > 0) console.log(id)' <"$result"
)
if [ ${#ids[@]} -gt 0 ]; then
  report=${RUNNER_TEMP:-.}/sightline-report.html
  sightline report "${ids[@]}" --log-dir "$LOG_DIR" --format md >>"$GITHUB_STEP_SUMMARY"
  sightline report "${ids[@]}" --log-dir "$LOG_DIR" --output "$report"
  {
    echo "runs=${ids[*]}"
    echo "report=$report"
    echo "artifact=${NAME//$'\n'/ }"
  } >>"$GITHUB_OUTPUT"
fi
# Words for the log of the job; `sightline run` has printed the reason.
[ $code -ne 100 ] || echo "::error::A headline score is below ${FAIL_UNDER//[^0-9.-]/}."
exit $code
