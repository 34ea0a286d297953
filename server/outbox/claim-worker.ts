// Runs stored work that processes claim: in a short transaction, outside of which the work is done, and ended only with the
// token of the claim. A claim is renewed while its work runs, and work whose process has ended is claimed again.
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { Timer } from '../ports/timer.ts'

/** Work that this process has claimed. Each claim has a token of its own. */
export interface Claimed {
  id: string
  token: string
}

export interface ClaimRound {
  now: string
  /** Until when the claims hold without another sign of this process. */
  until: string
  token: string
  limit: number
}

export interface ClaimWork {
  /** Whether the claim holds for a while: the process can have been stopped since it was renewed. */
  isHeld(): boolean
  /** The instant after this many milliseconds. */
  later(ms: number): string
  /** Aborts when the worker has waited long enough for its work. */
  signal: AbortSignal
}

export interface ClaimWorkerDeps<C extends Claimed> {
  claim(round: ClaimRound): Promise<readonly C[]>
  /** Lets claims hold until a later time. Returns whether each still held. */
  extend(extension: { claims: readonly Claimed[]; until: string }): Promise<boolean[]>
  /** Does the work, and writes its end. */
  run(claimed: C, work: ClaimWork): Promise<void>
  /** When the next work is due; null without any. */
  nextAt(): Promise<string | null>
  /** Removes what was done before an instant. */
  purge(): Promise<unknown>
  clock: Clock
  timer: Timer
  ids: IdGenerator
  onError(error: unknown): void
  /** Most work that runs at once. */
  maxInFlight: number
}

export interface ClaimWorker {
  /** Looks for work that is due; called after a write that left some. */
  wake(): void
  /** Resolves once the work that runs has ended; after ten seconds it is aborted. */
  close(): Promise<void>
}

/** How long a claim holds without a sign of its worker, and how often the worker gives one, in milliseconds. */
const lease = { ms: 30_000, renewMs: 10_000 }
/** How often work is looked for that another process has left. */
const lookMs = 5000
/** How long work has to end when the worker closes. */
const closeMs = 10_000
/** How often what was done is removed. */
const purgeMs = 3_600_000

interface InFlight {
  token: string
  /** Until when its claim holds, as far as this worker knows. In milliseconds since 1970. */
  heldUntil: number
  ended: Promise<void>
}

export function createClaimWorker<C extends Claimed>(deps: ClaimWorkerDeps<C>): ClaimWorker {
  const { clock, timer, ids, onError, maxInFlight } = deps
  const inFlight = new Map<string, InFlight>()
  const closing = new AbortController()
  /** Ends work that still runs when the worker has waited long enough for it. */
  const ending = new AbortController()
  let isWanted = false
  let running: Promise<void> | null = null
  let sleeping: AbortController | null = null

  const now = (): number => Date.parse(clock.now())
  const later = (ms: number): string => new Date(now() + ms).toISOString()
  let renewedAt = now()
  const renew = async (): Promise<void> => {
    renewedAt = now()
    const flights = [...inFlight].map(([id, flight]) => ({ id, flight }))
    if (flights.length === 0) return
    const until = later(lease.ms)
    const claims = flights.map(({ id, flight: { token } }) => ({ id, token }))
    const held = await deps.extend({ claims, until })
    for (const [at, { flight }] of flights.entries())
      if (held[at] === true) flight.heldUntil = Date.parse(until)
  }
  /** Each claim has a token of its own: what work that lost its claim still writes does not count for the next one. */
  const claim = async (): Promise<void> => {
    // After a pause of the process or the machine, its own work must not look as if it was left.
    if (now() - renewedAt > 2 * lease.renewMs) await renew()
    const until = later(lease.ms)
    const limit = maxInFlight - inFlight.size
    const claimed = await deps.claim({ now: clock.now(), until, token: ids.uuid(), limit })
    for (const each of claimed) start(each, Date.parse(until))
    if (claimed.length > 0) isWanted = true
  }
  const start = (claimed: C, heldUntil: number): void => {
    const { id, token } = claimed
    const flight: InFlight = { token, heldUntil, ended: Promise.resolve() }
    const isHeld = (): boolean => now() < flight.heldUntil - lease.renewMs
    flight.ended = deps
      .run(claimed, { isHeld, later, signal: ending.signal })
      .catch(onError)
      .finally(() => {
        if (inFlight.get(id)?.token === token) inFlight.delete(id)
        wake()
      })
    inFlight.set(id, flight)
  }
  const run = async (): Promise<void> => {
    while (isWanted && !closing.signal.aborted) {
      isWanted = false
      if (inFlight.size >= maxInFlight) return
      // A claim is a write, which is not needed if nothing is due.
      const at = await deps.nextAt()
      if (at === null) return
      const left = Date.parse(at) - now()
      if (left > 0) return sleep(left)
      await claim()
    }
  }
  /** What is due and was not claimed waits for other work, whose end wakes this worker. */
  const sleep = (ms: number): void => {
    if (ms >= lookMs || closing.signal.aborted) return
    sleeping = new AbortController()
    const { signal } = sleeping
    timer.wait(ms, { signal, isBackground: true }).then(wake, () => undefined)
  }
  function wake(): void {
    isWanted = true
    sleeping?.abort()
    if (closing.signal.aborted) return
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = null
        if (isWanted && inFlight.size < maxInFlight) wake()
      })
  }
  const repeat = async (ms: number, work: () => unknown): Promise<void> => {
    while (!closing.signal.aborted) {
      await timer.wait(ms, { signal: closing.signal, isBackground: true }).catch(() => undefined)
      if (!closing.signal.aborted) await work()
    }
  }
  void repeat(lookMs, wake)
  void repeat(lease.renewMs, () => renew().catch(onError))
  // What an earlier process has left.
  wake()
  void repeat(purgeMs, () => deps.purge().catch(onError))
  return {
    wake,
    close: async () => {
      closing.abort()
      sleeping?.abort()
      await running
      const end = setTimeout(() => ending.abort(), closeMs)
      await Promise.all([...inFlight.values()].map(({ ended }) => ended))
      clearTimeout(end)
    },
  }
}
