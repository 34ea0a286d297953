// Whether the server can do its work now: reads its files, writes to its disk, and has its workers (docs/security.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Org } from '../pipeline/index.ts'

export interface Readiness {
  /** @throws AlmanacError server.not_ready, storage.full, storage.read_only, storage.damaged, storage.failed */
  check(): Promise<void>
  /** A request was refused because something stored is damaged: the next check finds out whether it is served today. */
  suspectDamage(): void
}

export interface ReadinessParts {
  org: Pick<Org, 'store' | 'write' | 'clock' | 'plan' | 'verify'>
  /** Milliseconds that grow steadily. */
  elapsed: () => number
}

/** A flood of probes shares one answer: at most one write in this time, in milliseconds. */
const everyMs = 2000
/** An apply that is running delays the write of a probe. The server is ready all the same. */
const patienceMs = 1000
/** What is known to be damaged is read again after this time, in milliseconds: it may have been restored. */
const againMs = 10_000

export function createReadiness({ org, elapsed }: ReadinessParts): Readiness {
  const active = activeContent(() => org.verify(), elapsed)
  let last: { at: number; done: Promise<void> } | null = null
  return {
    check: () => {
      const now = elapsed()
      if (last === null || now - last.at >= everyMs) {
        last = { at: now, done: probed(org, active.check) }
        // The next probe may come long after this one failed.
        last.done.catch(() => undefined)
      }
      return last.done
    },
    suspectDamage: () => {
      active.suspect()
      last = null
    },
  }
}

/** All that the active generation serves, read once after the start and whenever damage is suspected. */
function activeContent(
  verify: () => Promise<void>,
  elapsed: () => number,
): { check: () => Promise<void>; suspect: () => void } {
  let trusted = false
  let damage: { at: number; error: unknown } | null = null
  let reading: Promise<void> | null = null
  const read = async (): Promise<void> => {
    trusted = true
    try {
      await verify().catch(workerFailed)
      damage = null
    } catch (error) {
      trusted = false
      damage = { at: elapsed(), error }
    } finally {
      reading = null
    }
  }
  return {
    check: async () => {
      if (!trusted && reading === null && (damage === null || elapsed() - damage.at >= againMs))
        reading = read()
      // Of a large org that takes longer than a probe waits: until it is known again, it is as it was.
      if (damage === null) await reading
      if (damage !== null) throw damage.error
    },
    suspect: () => {
      trusted = false
    },
  }
}

async function probed(
  { store, write, clock, plan }: ReadinessParts['org'],
  verified: () => Promise<void>,
): Promise<void> {
  store.probe()
  const work = Promise.all([
    write((transactor) => transactor.noteTime(clock.now())).catch(unlessBusy),
    plan({ source: { kind: 'components', components: [] }, actor: 'admin' }).catch(workerFailed),
    verified(),
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
