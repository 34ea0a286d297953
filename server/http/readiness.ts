// Whether the server can do its work now: reads its files, writes to its disk, and has its workers (docs/security.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Org } from '../pipeline/index.ts'

export interface Readiness {
  /** @throws AlmanacError server.not_ready, storage.full, storage.read_only, storage.damaged, storage.failed */
  check(): Promise<void>
}

export interface ReadinessParts {
  org: Pick<Org, 'store' | 'write' | 'clock' | 'plan'>
  /** Milliseconds that grow steadily. */
  elapsed: () => number
}

/** A flood of probes shares one answer: at most one write in this time, in milliseconds. */
const everyMs = 2000
/** An apply that is running delays the write of a probe. The server is ready all the same. */
const patienceMs = 1000

export function createReadiness({ org, elapsed }: ReadinessParts): Readiness {
  let last: { at: number; done: Promise<void> } | null = null
  return {
    check: () => {
      const now = elapsed()
      if (last === null || now - last.at >= everyMs) {
        last = { at: now, done: probed(org) }
        // The next probe may come long after this one failed.
        last.done.catch(() => undefined)
      }
      return last.done
    },
  }
}

async function probed({ store, write, clock, plan }: ReadinessParts['org']): Promise<void> {
  store.probe()
  const work = Promise.all([
    write((transactor) => transactor.noteTime(clock.now())).catch(unlessBusy),
    plan({ source: { kind: 'components', components: [] }, actor: 'admin' }).catch(workerFailed),
  ])
  await Promise.race([work, patience()])
  // A failure that comes later is the next probe's.
  work.catch(() => undefined)
}

/** Another process that writes is no fault of this one. */
function unlessBusy(error: unknown): void {
  if (!(error instanceof AlmanacError) || error.code !== 'org.busy') throw error
}

function workerFailed(cause: unknown): never {
  if (cause instanceof AlmanacError) throw cause
  throw new AlmanacError(
    'server.not_ready',
    'The worker that plans and applies changes does not run. It is started again with the next change; see the log.',
    { cause },
  )
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, patienceMs).unref())
}
