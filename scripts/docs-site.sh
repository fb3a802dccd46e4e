#!/usr/bin/env bash
# Makes a site of the documents with a search, in FOLDER/html (build/site/html): open
# index.html, or serve the folder. Fails if a link leads nowhere. Needs Debian's mkdocs.
#
# usage: scripts/docs-site.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."

folder=${1:-build/site}
if ! command -v mkdocs >/dev/null; then
  echo "docs-site: mkdocs is missing: apt-get install mkdocs" >&2
  exit 1
fi

# Pages link to examples and results, so that these lie where they do here.
rm -rf "$folder"
mkdir -p "$folder/source"
git ls-files -co --exclude-standard -z -- '*.md' LICENSE docs examples benchmarks |
  xargs -0 cp --parents -t "$folder/source"
mv "$folder/source/docs/site.yml" "$folder/mkdocs.yml"
if ! mkdocs build --strict --quiet --config-file "$folder/mkdocs.yml"; then
  echo "docs-site: the lines above say which link or page is wrong" >&2
  exit 1
fi
echo "docs-site: $folder/html/index.html"
