#!/usr/bin/env bash
# need.sh PYTHON|venv|java|node ...: checks prerequisites; names what is missing and the command
# that installs it on Debian.
set -u
python=python3
missing=0

lacks() { # what, packages
  printf 'missing: %s\n  install it with: apt-get install %s\n' "$1" "$2" >&2
  missing=1
}

for need in "$@"; do
  case $need in
    *python*)
      python=$need
      "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
        || lacks "Python 3.11 or later ($python)" python3
      ;;
    venv)
      "$python" -c 'import ensurepip, venv' 2>/dev/null || lacks "the venv module of $python" python3-venv
      ;;
    java)
      version=$({ "${JAVA_HOME:+$JAVA_HOME/bin/}java" -version; } 2>&1 | sed -nE 's/.*version "([0-9]+).*/\1/p')
      [ "${version:-0}" -ge 17 ] || lacks 'Java 17 or later' openjdk-17-jre-headless
      ;;
    node)
      version=$(node --version 2>/dev/null | sed -nE 's/v([0-9]+).*/\1/p')
      [ "${version:-0}" -ge 18 ] || lacks 'Node.js 18 or later' nodejs
      command -v npm >/dev/null || lacks npm npm
      ;;
  esac
done
exit $missing
