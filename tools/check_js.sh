#!/bin/sh
# The modules of the page: types by `tsc --checkJs`, lint by eslint. Both come from npm into a temporary folder.
# usage: tools/check_js.sh [FOLDER]   (FOLDER keeps what npm installs, for the next time)
set -eu
cd "$(dirname "$0")/.."
place=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$place"' EXIT
mkdir -p "$place"
[ -d "$place/node_modules/eslint" ] ||
  npm install --silent --no-audit --no-fund --prefix "$place" typescript@5 eslint@9 @eslint/js@9 globals@15
rm -rf "$place/static"
cp -r src/mahc/ui/static "$place/static"
cat >"$place/tsconfig.json" <<'JSON'
{
  "compilerOptions": {
    "allowJs": true, "checkJs": true, "noEmit": true, "target": "ES2022", "module": "ES2022",
    "moduleResolution": "bundler", "lib": ["ES2022", "DOM", "DOM.Iterable"], "types": [],
    "strict": true,
    "noUnusedLocals": true, "noUnusedParameters": true, "noImplicitReturns": true, "noFallthroughCasesInSwitch": true
  },
  "include": ["static/*.js"]
}
JSON
cat >"$place/eslint.config.mjs" <<'JS'
import js from "@eslint/js";
import globals from "globals";
export default [
  js.configs.recommended,
  {
    files: ["static/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    rules: {
      eqeqeq: "error", "prefer-const": "error", "no-var": "error", "no-eval": "error", "no-implied-eval": "error",
      "no-new-func": "error", "no-shadow": "error", "no-restricted-properties": ["error",
        { property: "innerHTML" }, { property: "outerHTML" }, { property: "insertAdjacentHTML" }, { object: "document", property: "write" }],
    },
  },
];
JS
cd "$place"
node_modules/.bin/tsc -p tsconfig.json
node_modules/.bin/eslint --max-warnings 0 static
echo "the modules of the page: types and lint hold"
