// A fault hook that reports a stage and stops there until the process is killed.
import { writeSync } from 'node:fs'

export function haltAt(stop: string): (stage: string) => void {
  return (stage) => {
    if (stage !== stop) return
    writeSync(1, `at ${stage}\n`)
    // Until the kill; nothing else in this process runs in the meantime.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
}
