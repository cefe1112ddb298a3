# What the scripts share; sourced by them, never run by itself.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# How the builds of checks and tests are made: without what only a debugger needs, where none is.
build_options=()
[ -z "${FIELDSTONE_NO_DEBUGGER:-}" ] || build_options=(-debug-info-format none)

# Ends the script with one line that says what to do.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Prints the comment at the head of the script, which is its manual.
usage() {
  awk 'NR == 1 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0"
}

# Answers --help and -h, wherever they stand among the arguments.
answer_help() {
  local argument
  for argument in "$@"; do
    case $argument in
      --help | -h) usage && exit 0 ;;
    esac
  done
}

# Asks for a tool: need TOOL "what to install".
need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is missing: $2"
}

need_swift() {
  need swift 'install Swift 6.2 or newer from https://www.swift.org/install, then open a new shell.'
}

# Sees to SQLite's headers: installs them where that is allowed, and otherwise says what to do.
need_sqlite() {
  [ "$(uname)" != Darwin ] || return 0 # It is part of the SDK.
  local directory
  for directory in /usr/include /usr/local/include; do
    [ ! -e "$directory/sqlite3.h" ] || return 0
  done
  install_packages libsqlite3-dev ||
    fail 'SQLite is missing: install libsqlite3-dev (elsewhere sqlite-devel), then run this again.'
}

# Sees to libpq, which the journal in PostgreSQL is linked with.
need_libpq() {
  if [ "$(uname)" = Darwin ]; then
    # Homebrew does not link it into its own folders.
    local prefix
    prefix=$(brew --prefix libpq 2>/dev/null) && [ -d "$prefix/lib" ] ||
      fail 'libpq is missing: brew install libpq, then run this again.'
    export LIBRARY_PATH="$prefix/lib${LIBRARY_PATH:+:$LIBRARY_PATH}"
    return 0
  fi
  local file
  for file in /usr/lib/libpq.so /usr/lib64/libpq.so /usr/local/lib/libpq.so /usr/lib/*/libpq.so; do
    [ ! -e "$file" ] || return 0
  done
  install_packages libpq-dev ||
    fail 'libpq is missing: install libpq-dev (elsewhere libpq-devel), then run this again.'
}

# Sees to PostgreSQL's server, which its tests start by themselves; without it they are skipped.
need_postgres() {
  local file
  # One test goes through it, and says so where it is not there.
  command -v pgbouncer >/dev/null 2>&1 || install_packages pgbouncer || true
  for file in /usr/lib/postgresql/*/bin/initdb; do
    [ ! -x "$file" ] || return 0
  done
  ! command -v initdb >/dev/null 2>&1 || return 0
  install_packages postgresql ||
    printf 'SKIPPED: the tests against PostgreSQL, as its server can not be installed here.\n' >&2
}

# Installs Debian's packages; false where that is not allowed or not possible here.
install_packages() {
  command -v apt-get >/dev/null 2>&1 || return 1
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || return 1
    as_root=(sudo -n)
  fi
  printf 'Installing %s\n' "$*" >&2
  ${as_root[@]+"${as_root[@]}"} apt-get update -qq >&2 || true
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq "$@" >&2
}

# Lists the files of the tree, relative to it, build products left out: tree_files [PATTERN…]
tree_files() {
  (
    cd "$root"
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$root" ]; then
      git ls-files --cached --others --exclude-standard
    else
      find . -name '.?*' -type d -prune -o -type f -print | sed 's|^\./||'
      [ ! -d .ci ] || find .ci -type f
    fi | sort -u | keep_matching "$@" | while IFS= read -r file; do
      # One that was removed and not yet committed is still listed.
      [ ! -f "$file" ] || printf '%s\n' "$file"
    done
  )
}

# Keeps the lines that match one of the shell patterns, or all of them where none is given.
keep_matching() {
  local line pattern
  while IFS= read -r line; do
    [ $# -gt 0 ] || printf '%s\n' "$line"
    for pattern in "$@"; do
      # shellcheck disable=SC2254 # It is a pattern.
      case $line in $pattern)
        printf '%s\n' "$line"
        break
        ;;
      esac
    done
  done
}

# The library targets: the folders of Sources that hold code.
library_targets() {
  tree_files 'Sources/*.swift' | cut -d / -f 2 | sort -u
}

# Builds the tests of a package, and all that they use: build_tests PACKAGE-PATH OPTION…
#
# By what runs the tests, of which none has this name: the options of `swift build` come in another
# order, so it would build all of it anew.
build_tests() {
  local package=$1
  shift
  swift test --disable-xctest --enable-all-traits --package-path "$package" \
    ${build_options[@]+"${build_options[@]}"} "$@" --filter '^none$'
}

# A folder that goes away with the script; its path is in $scratch.
make_scratch() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
}

# Names the checks.
list_checks() {
  local file
  for file in "$root"/Scripts/checks/*; do
    [ ! -x "$file" ] || printf '%s\n' "${file##*/}"
  done
}
