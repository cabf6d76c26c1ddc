#!/bin/sh
# Fills a folder with what the image has: the package as JavaScript, its production packages, Node, a data folder and the SBOM.
# From the root of a checkout: sh infra/deploy/image.sh FOLDER. The Dockerfile runs it; it needs no Docker.
set -eu
to=$(mkdir -p "$1" && cd "$1" && pwd)
program="$to/faultline"
[ -d node_modules/vite ] || npm ci --ignore-scripts --no-audit --no-fund
mkdir -p "$program" node_modules/.cache
node --disable-warning=ExperimentalWarning console/prepare.js
node --disable-warning=ExperimentalWarning tools/package/package.ts --to "$program"
cp "$program/package.json" "$to/packed.json"
# Versions are those of the lock file; packages that the bundle contains go again.
cp package.json package-lock.json "$program"
# By the lock file: with what the bundle contains parts of.
npm sbom --package-lock-only --omit=dev --sbom-format=cyclonedx > "$program/sbom.cdx.json"
(
  cd "$program"
  npm ci --omit=dev --ignore-scripts --no-audit --no-fund
  mv "$to/packed.json" package.json
  npm prune --omit=dev --ignore-scripts --no-audit --no-fund
  rm package-lock.json
)
# As the program runs in the image: no TypeScript, maps or READMEs of packages.
find "$program/node_modules" -type f \( -name '*.ts' -o -name '*.map' -o -iname 'readme.md' -o -iname 'changelog.md' \) -delete
install -D -m 0755 "$(command -v node)" "$to/usr/local/bin/node"
install -d -m 0700 "$to/data"
[ "$(id -u)" != 0 ] || chown 1000:1000 "$to/data"
