#!/usr/bin/env bash
# Makes a site of the documents with a search, in FOLDER/html (build/site/html): open
# index.html, or serve the folder. Fails if a link leads nowhere. Needs Debian's mkdocs.
# Pictures of the report are those that its test has made last in a build folder.
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
shots=$(find build -path '*/test/baco/Output/report-browser.test.tmp/shots/light.png' -printf '%T@ %h\n' 2>/dev/null |
  sort -n | tail -1 | cut -d' ' -f2-)
if [[ -n $shots ]]; then
  pages="$folder/source/docs"
  mkdir "$pages/pictures"
  cp "$shots"/*.png "$pages/pictures"
  cat >>"$pages"/Report.* <<'END'

## Pictures

The page of 14 made-up kernels, as its test has seen it: 1280 pixels wide, and 400 in the dark theme.

![The page in the light theme](pictures/light.png)
![The page in the dark theme on a phone](pictures/dark-400.png)
END
fi
if ! mkdocs build --strict --quiet --config-file "$folder/mkdocs.yml"; then
  echo "docs-site: the lines above say which link or page is wrong" >&2
  exit 1
fi
echo "docs-site: $folder/html/index.html"
