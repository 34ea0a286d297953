// Imports a description in a thread that ends with it, or at its deadline.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { DescriptionImporter, ImportReply } from '../service-import/index.ts'
import type { Timer } from '../ports/timer.ts'
import { youngMb } from '../system/index.ts'
import { newThreads } from './threads.ts'
import { workerCalls } from './worker-calls.ts'

/** Twelve times what the largest public description takes. */
const deadlineMs = 60_000
const resourceLimits = { maxYoungGenerationSizeMb: youngMb.small, maxOldGenerationSizeMb: 1024 }

export function descriptionThread(timer: Timer): DescriptionImporter {
  return async (task) => {
    let end = async (): Promise<void> => undefined
    const threads = {
      ...newThreads,
      start: (options: Parameters<typeof newThreads.start>[0]) => {
        const thread = newThreads.start(options)
        end = () => newThreads.end(thread)
        return thread
      },
    }
    const file = new URL('./description-worker.ts', import.meta.url)
    const calls = workerCalls(threads, { file, data: null, resourceLimits })
    const done = new AbortController()
    const late = timer.wait(deadlineMs, { signal: done.signal, isBackground: true }).then(
      () => {
        throw tooSlow(task.source.name)
      },
      () => undefined as never,
    )
    try {
      return await Promise.race([calls.call<ImportReply>('import', task), late])
    } catch (error) {
      throw isOutOfMemory(error) ? tooLarge(task.source.name) : error
    } finally {
      done.abort()
      await end()
    }
  }
}

const isOutOfMemory = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY'

const tooSlow = (name: string): AlmanacError =>
  new AlmanacError(
    'description.unreadable',
    `${name} takes more than ${deadlineMs / 1000} seconds to read. Import fewer operations, or split the description.`,
  )

const tooLarge = (name: string): AlmanacError =>
  new AlmanacError(
    'description.unreadable',
    `${name} takes more than ${resourceLimits.maxOldGenerationSizeMb} MiB of memory to read. Import fewer operations, or split the description.`,
  )
