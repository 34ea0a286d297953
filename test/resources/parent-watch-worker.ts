// The thread that checks whether the parent of its process still runs.
import { rmSync } from 'node:fs'
import { workerData } from 'node:worker_threads'

const { parent, folder, everyMs } = workerData as { parent: number; folder: string; everyMs: number }

setInterval(() => {
  if (process.ppid === parent) return
  rmSync(folder, { recursive: true, force: true })
  process.kill(process.pid, 'SIGKILL')
}, everyMs)
