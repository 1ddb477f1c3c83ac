#!/usr/bin/env bash
# Installs what PACKAGE names, or builds the version that this action belongs to.
set -eo pipefail
if [ -n "$PACKAGE" ]; then
  npm install --prefix "$RUNNER_TEMP/sightline" --ignore-scripts --no-audit --no-fund -- "$PACKAGE"
  main=$RUNNER_TEMP/sightline/node_modules/sightline/dist/cli/main.js
else
  cd "$GITHUB_ACTION_PATH"
  # A job that has built this checkout already does not build it again.
  [ -f dist/cli/main.js ] || npm ci --no-audit --no-fund
  main=$GITHUB_ACTION_PATH/dist/cli/main.js
fi
echo "SIGHTLINE_MAIN=$main" >>"$GITHUB_ENV"
