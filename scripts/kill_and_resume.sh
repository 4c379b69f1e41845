#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Trains twice: once without a break, once killed (-9) at random steps and started again. Says whether both saw the same
# batches and had the same losses, bit for bit.
#
#   scripts/kill_and_resume.sh SEDA CORPUS OUT STEPS KILLS [train flags...]
#
# On a GPU losses are the same only with training.deterministic, which is set here.
set -euo pipefail

[ $# -ge 5 ] || { sed -n '4,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
readonly seda=$1 corpus=$2 out=$3 steps=$4 kills=$5
shift 5
readonly flags=("$@")

mkdir -p "$out"
cat > "$out/run.yaml" <<YAML
training: {log_every: 5, checkpoint_every: 20, eval_every: 1000000, deterministic: true, max_steps: $steps, epochs: 1000000}
YAML

# train NAME: the command of both runs, in place of the shell that calls it.
train() {
  exec "$seda" train "$corpus" --config "$out/run.yaml" --checkpoint-dir "$out/$1" --trace-batches "$out/$1.jsonl" \
    --quiet "${flags[@]}"
}

steps_done() { tail -n 1 "$out/killed/log.jsonl" 2>/dev/null | sed -n 's/^{"step":\([0-9]*\).*/\1/p'; }

reached() {
  local now
  now=$(steps_done)
  [ -n "$now" ] && [ "$now" -ge "$1" ]
}

rm -rf "$out/whole" "$out/killed" "$out/whole.jsonl" "$out/killed.jsonl"
(train whole) > "$out/whole.txt"

for ((kill = 1; kill <= kills; ++kill)); do
  target=$(((steps * kill / (kills + 1)) + RANDOM % (steps / (2 * kills + 2) + 1)))
  train killed > /dev/null &
  process=$!
  until reached "$target" || ! kill -0 $process 2>/dev/null; do sleep 0.02; done
  kill -9 $process 2>/dev/null || true
  wait $process 2>/dev/null || true
  printf 'killed after step %s\n' "$(steps_done)"
done
(train killed) > "$out/killed.txt"

printf 'lines %s and %s, ' "$(wc -l < "$out/whole.jsonl")" "$(wc -l < "$out/killed.jsonl")"
if cmp -s "$out/whole.jsonl" "$out/killed.jsonl"; then
  printf 'traces are equal, byte for byte: same batches, same losses\n'
else
  printf 'traces differ:\n'
  diff "$out/whole.jsonl" "$out/killed.jsonl" | head -n 4 | cut -c 1-200
  exit 1
fi
