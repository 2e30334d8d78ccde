#!/usr/bin/env bash
# Join the site of this commit, as `dev`, with those that are kept with the releases on GitHub.
# usage: tools/join_releases.sh OUT SITE   (needs gh and GH_TOKEN)
set -euo pipefail
out=$1 site=$2
older=$(mktemp -d)
sites=("dev=$site")
for tag in $(gh release list --limit 100 --json tagName --jq '.[].tagName'); do
  mkdir "$older/$tag"
  gh release download "$tag" --pattern site.tar.gz --output - | tar xz -C "$older/$tag" || continue
  sites+=("${tag#v}=$older/$tag/site")
done
python "$(dirname "$0")/join_sites.py" "$out" "${sites[@]}"
