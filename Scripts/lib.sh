# Shared functions of the scripts; sourced by them, never run by itself.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)

# The options of all builds for checks and tests. CI has no debugger and builds everything once, so its
# builds have no debug information and compile a module at a time: that takes 57 % of the time. The
# compiler writes one object per file, as SwiftPM expects, only with threads. SwiftPM asks for batches,
# of which the compiler warns here.
build_options=()
if [ -n "${FIELDSTONE_NO_DEBUGGER:-}" ]; then
  build_options=(-debug-info-format none)
  build_options+=(-Xswiftc -whole-module-optimization -Xswiftc -disable-batch-mode)
  build_options+=(-Xswiftc -num-threads -Xswiftc 2)
fi

# SwiftPM gives the compiler a package's traits in the order of a set. By default that is another one
# each time it plans a build, which it does if the environment has changed, and then it builds
# everything anew.
export SWIFT_DETERMINISTIC_HASHING=1

# Ends the script with a one-line message that names the remedy.
fail() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Prints the comment at the head of the script, which is its manual.
usage() {
  awk 'NR == 1 { next } !/^#/ { exit } { sub(/^# ?/, ""); print }' "$0"
}

# Answers --help and -h at any position among the arguments.
answer_help() {
  local argument
  for argument in "$@"; do
    case $argument in
      --help | -h) usage && exit 0 ;;
    esac
  done
}

# Requires a tool: need TOOL "what to install".
need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is missing: $2"
}

need_swift() {
  need swift 'install Swift 6.2 or newer from https://www.swift.org/install, then open a new shell.'
}

# Requires SQLite's headers: installs them if allowed, and otherwise prints the remedy.
need_sqlite() {
  [ "$(uname)" != Darwin ] || return 0 # It is part of the SDK.
  local directory
  for directory in /usr/include /usr/local/include; do
    [ ! -e "$directory/sqlite3.h" ] || return 0
  done
  install_packages libsqlite3-dev ||
    fail 'SQLite is missing: install libsqlite3-dev (elsewhere sqlite-devel), then run this again.'
}

# Requires libpq, which the PostgreSQL journal links.
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

# Installs PostgreSQL's server, which the tests start by themselves; without it they are skipped.
need_postgres() {
  local file
  command -v pgbouncer >/dev/null 2>&1 || [ -x /usr/sbin/pgbouncer ] ||
    install_packages pgbouncer || skip 'the test behind a pooler, as PgBouncer can not be installed'
  command -v openssl >/dev/null 2>&1 || install_packages openssl ||
    skip 'the tests of encrypted connections, as OpenSSL can not be installed'
  for file in /usr/lib/postgresql/*/bin/initdb; do
    [ ! -x "$file" ] || return 0
  done
  ! command -v initdb >/dev/null 2>&1 || return 0
  install_packages postgresql ||
    skip 'the tests against PostgreSQL, as its server can not be installed'
}

# Ends a process and its descendants: end_tree PID
end_tree() {
  local child
  for child in $(pgrep -P "$1" || true); do end_tree "$child"; done
  kill -KILL "$1" 2>/dev/null || true
}

# Runs a command with a time limit: limited SECONDS COMMAND…
limited() {
  local process watchdog status=0 most=$1
  shift
  "$@" &
  process=$!
  (sleep "$most" && end_tree "$process") &
  watchdog=$!
  wait "$process" 2>/dev/null || status=$?
  end_tree "$watchdog"
  wait "$watchdog" 2>/dev/null || true
  return "$status"
}

# Says what is left out here; in CI that is a failure.
skip() {
  [ -z "${CI:-}" ] || fail "$* here; in CI everything must run."
  printf 'SKIPPED: %s here.\n' "$*" >&2
}

# Requires what a cluster of PostgreSQL servers consists of.
need_cluster() {
  local tool missing=()
  for tool in patroni etcd ip curl setpriv; do
    command -v "$tool" >/dev/null 2>&1 || missing+=("$tool")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  install_packages patroni etcd-server iproute2 curl util-linux ||
    fail "${missing[*]} missing: install patroni, etcd-server, iproute2 and curl, then run this again."
}

# Installs Debian's packages; false if that is not allowed or not possible.
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

# Lists the files of the tree, relative to it, without build products: tree_files [PATTERN…]
tree_files() {
  (
    cd "$root"
    if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$root" ]; then
      git -c core.quotePath=false ls-files --cached --others --exclude-standard
    else
      find . -name '.?*' -type d -prune -o -type f -print | sed 's|^\./||'
      [ ! -d .ci ] || find .ci -type f
    fi | sort -u | keep_matching "$@" | while IFS= read -r file; do
      # A file that was removed without a commit is still listed.
      [ ! -f "$file" ] || printf '%s\n' "$file"
    done
  )
}

# Keeps the lines that match one of the shell patterns; without a pattern, all lines.
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

# The library targets: the folders of Sources that contain code.
library_targets() {
  tree_files 'Sources/*.swift' | cut -d / -f 2 | sort -u
}

# Builds the tests of a package and their dependencies: build_tests PACKAGE-PATH OPTION…
#
# It uses the test command with a filter that matches no test: `swift build` orders its options
# differently, and would rebuild everything.
build_tests() {
  local package=$1
  shift
  swift test --disable-xctest --enable-all-traits --package-path "$package" \
    ${build_options[@]+"${build_options[@]}"} "$@" --filter '^none$'
}

# The folder of what a package's tests were built into: built PACKAGE-PATH OPTION…
#
# Without the traits it would take the checkouts of their packages away, and the next build make them
# anew.
built() {
  local package=$1
  shift
  swift build --package-path "$package" --enable-all-traits "$@" --show-bin-path
}

# Finds the modules of the tests' build, for symbol_graph.
read_modules() {
  modules="$(built "$root")/Modules"
  triple=$(swift -print-target-info | sed -n 's/^ *"triple": "\(.*\)",$/\1/p' | head -n 1)
  headers=()
  local map
  while IFS= read -r map; do
    headers+=(-I "$(dirname "$map")")
  done < <(find "$root"/Sources/C*/include "$root/.build/checkouts" -name module.modulemap \
    \( -path '*/Sources/*' -o -path '*/include/*' \) 2>/dev/null)
}

# Writes the symbol graphs of a module as it was built: symbol_graph MODULE FOLDER OPTION…
symbol_graph() {
  local module=$1 folder=$2
  shift 2
  mkdir -p "$folder"
  swift-symbolgraph-extract -module-name "$module" -target "$triple" -output-dir "$folder" \
    -I "$modules" "${headers[@]}" "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    fail "the names of $module could not be read."
  }
}

# A folder that is removed at the end of the script; its path is in $scratch.
make_scratch() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
}

# Ends all that runs beside, and removes the temporary folders; for a trap.
end_all() {
  local process
  for process in $(jobs -rp); do end_tree "$process"; done
  rm -rf "$scratch" ${in_memory:+"$in_memory"}
}

# A folder in memory for the files of tests, where the system has one; its path is in $in_memory. They
# commit some hundred thousand times, and each commit to a disk takes milliseconds. Call it after
# make_scratch.
make_memory() {
  local folder=/dev/shm free
  in_memory=
  [ "$(stat -f -c %T "$folder" 2>/dev/null)" = tmpfs ] || return 0
  free=$(df -k --output=avail "$folder" | tail -n 1)
  [ "$free" -ge 4000000 ] || return 0
  in_memory=$(mktemp -d "$folder/fieldstone.XXXX")
  trap 'rm -rf "$scratch" "$in_memory"' EXIT
  # PostgreSQL's server does not run as root, and its folder is in here.
  chmod 755 "$in_memory"
}

# Runs a program of tests in the environment of tests: as_test COMMAND…
#
# Its files are in that folder. Two thousand tests that begin at once hold all their files and servers
# open, and each waits for the others. (Foundation's `Process` can't start a program with some thousand
# open files.) A testing library that does not know the variable runs them all at once. Their sets
# have an order by chance, as those of users do. Builds have no such variables: SwiftPM would plan them
# anew. A script adds its own to test_variables.
test_variables=()
as_test() {
  local width=${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-64}
  env -u SWIFT_DETERMINISTIC_HASHING ${in_memory:+"TMPDIR=$in_memory"} \
    "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$width" \
    ${test_variables[@]+"${test_variables[@]}"} "$@"
}

# Builds the tests of a package and runs them: run_tests PACKAGE-PATH BUILD-OPTION… -- TEST-OPTION…
run_tests() {
  local package=$1 options=() program status=0
  shift
  while [ "${1:---}" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# -eq 0 ] || shift
  if [ "$(uname)" = Darwin ]; then
    as_test swift test --disable-xctest --enable-all-traits --package-path "$package" \
      ${build_options[@]+"${build_options[@]}"} ${options[@]+"${options[@]}"} "$@"
    return
  fi
  build_tests "$package" ${options[@]+"${options[@]}"} || return
  for program in "$(built "$package" ${options[@]+"${options[@]}"})"/*PackageTests.xctest; do :; done
  as_test "$program" --testing-library swift-testing "$@" || status=$?
  # No test matches; the runner says so, and `swift test` calls it a success.
  [ "$status" -ne 69 ] || status=0
  return "$status"
}

# Lists the checks.
list_checks() {
  local file
  for file in "$root"/Scripts/checks/*; do
    [ ! -x "$file" ] || printf '%s\n' "${file##*/}"
  done
}
