# What the programs of this folder share. See README.md.
set -eu
: "${FAKE_SLURM:?fake-slurm: set FAKE_SLURM to the folder of its state}"
# Tasks run in other folders.
case "$FAKE_SLURM" in /*) ;; *) FAKE_SLURM="$PWD/$FAKE_SLURM" ;; esac
export FAKE_SLURM
jobs="$FAKE_SLURM/jobs"
mkdir -p "$jobs"

# Where no controller answers: says so after the first argument, and ends with the second.
ask_controller() {
  [ ! -e "$FAKE_SLURM/down" ] && return
  echo "$1 Unable to contact slurm controller (connect failure)" >&2
  exit "$2"
}

# A task is a folder: `state` is one line, state, reason and node; `process` leads the group of its processes.
state_of() {
  read -r state rest <"$1/state"
  echo "$state"
}

set_state() {
  echo "$2 $3 ${4-}" >"$1/state.new"
  mv "$1/state.new" "$1/state"
}

# Only one of those that would change a task does.
lock() {
  until mkdir "$1/lock" 2>/dev/null; do sleep 0.01; done
}

unlock() { rmdir "$1/lock"; }
