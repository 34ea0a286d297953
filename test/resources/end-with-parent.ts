// A process that ends with the one that started it, even while its own thread is held, and takes its folder along.
import { Worker } from 'node:worker_threads'

/** How often the parent is looked for, in milliseconds. */
const everyMs = 250

/** @param folder removed if the parent has ended without a word */
export function endWithParent(folder: string): void {
  new Worker(new URL('./parent-watch-process.ts', import.meta.url), {
    workerData: { parent: process.ppid, folder, everyMs },
  }).unref()
}
