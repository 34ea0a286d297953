// Ends the process together with its parent, even while its own thread is busy, and removes its folder.
import { Worker } from 'node:worker_threads'

/** How often the parent is checked, in milliseconds. */
const everyMs = 250

/** @param folder removed if the parent ended without notice */
export function endWithParent(folder: string): void {
  new Worker(new URL('./parent-watch-worker.ts', import.meta.url), {
    workerData: { parent: process.ppid, folder, everyMs },
  }).unref()
}
