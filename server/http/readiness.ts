// Checks whether the server is ready: it can read its files, write to its disk, and has its key and its
// workers (docs/security.md).
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Org } from '../pipeline/index.ts'

export interface Readiness {
  /** @throws AlmanacError server.not_ready, storage.full, storage.read_only, storage.damaged, storage.failed */
  check(): Promise<void>
  /** Reports that a request found damaged data; the next check finds out whether the active generation serves it. */
  suspectDamage(): void
}

export interface ReadinessDeps {
  org: Pick<Org, 'store' | 'write' | 'clock' | 'plan' | 'verify'>
  /** Called with each probe. @throws AlmanacError storage.damaged if the signing key of the org is missing or different */
  requireSigningKey: () => void
  /** Monotonic milliseconds. */
  elapsed: () => number
}

/** Probes share one result for this time, in milliseconds, so there is at most one write in it. */
const probeIntervalMs = 2000
/** A running apply delays the write of a probe, but the server is still ready. */
const probeTimeoutMs = 1000
/** Damaged data is read again after this time, in milliseconds, because it may have been restored. */
const damageRecheckMs = 10_000

export function createReadiness({ org, requireSigningKey, elapsed }: ReadinessDeps): Readiness {
  const active = createContentCheck(() => org.verify(), elapsed)
  let last: { at: number; done: Promise<void> } | null = null
  return {
    check: () => {
      const now = elapsed()
      if (last === null || now - last.at >= probeIntervalMs) {
        last = { at: now, done: runProbe(org, requireSigningKey, active.check) }
        // The next probe may arrive long after this failure.
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

/** Reads all data of the active generation, once after the start and when damage is suspected. */
function createContentCheck(
  verify: () => Promise<void>,
  elapsed: () => number,
): { check: () => Promise<void>; suspect: () => void } {
  let trusted = false
  let damage: { at: number; error: unknown } | null = null
  let reading: Promise<void> | null = null
  const read = async (): Promise<void> => {
    trusted = true
    try {
      await verify().catch(throwNotReady)
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
      if (!trusted && reading === null && (damage === null || elapsed() - damage.at >= damageRecheckMs))
        reading = read()
      // In a large org this takes longer than a probe waits; until then, the last result applies.
      if (damage === null) await reading
      if (damage !== null) throw damage.error
    },
    suspect: () => {
      trusted = false
    },
  }
}

async function runProbe(
  { store, write, clock, plan }: ReadinessDeps['org'],
  requireSigningKey: () => void,
  verified: () => Promise<void>,
): Promise<void> {
  store.probe()
  requireSigningKey()
  const work = Promise.all([
    write((transactor) => transactor.properties.recordTime(clock.now())).catch(ignoreBusy),
    plan({ source: { kind: 'components', components: [] }, actor: 'admin' }).catch(throwNotReady),
    verified(),
  ])
  await Promise.race([work, waitForProbe()])
  // A later failure is reported by the next probe.
  work.catch(() => undefined)
}

/** A lock of another process is not a failure of this one. */
function ignoreBusy(error: unknown): void {
  if (!(error instanceof AlmanacError) || error.code !== 'org.busy') throw error
}

function throwNotReady(cause: unknown): never {
  if (cause instanceof AlmanacError) throw cause
  throw new AlmanacError(
    'server.not_ready',
    'The worker that plans and applies changes is not running. It restarts with the next change. See the log.',
    { cause },
  )
}

function waitForProbe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, probeTimeoutMs).unref())
}
