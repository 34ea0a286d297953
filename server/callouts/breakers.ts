// The circuit breakers for operators: the state of each and why, and how one is forced open or closed, with a reason in the
// audit.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { BreakerStatus } from '#wire/operations.ts'
import type { Actor, AuditFact } from '../access/index.ts'
import type { Clock } from '../ports/clock.ts'
import type { OutboxReader } from '../ports/outbox.ts'
import { breakerStatus } from './breaker-status.ts'
import type { Callouts } from './callouts.ts'

export interface Breakers {
  /** Of all named credentials of the active generation. */
  list(): Promise<BreakerStatus[]>
  /** Lets no call through until it is closed. @throws AlmanacError `component.not_found` */
  forceOpen(by: Actor, credential: string, reason: string): Promise<BreakerStatus>
  /** Lets calls through from now on. @throws AlmanacError `component.not_found` */
  forceClose(by: Actor, credential: string, reason: string): Promise<BreakerStatus>
}

export interface BreakersDeps {
  credentials(): readonly ComponentOf<'named_credential'>[]
  read<T>(work: (reader: Pick<OutboxReader, 'limits'>) => Promise<T>): Promise<T>
  breaker: Callouts['breaker']
  unreported: Callouts['unreported']
  clock: Clock
  audit(by: Actor, fact: AuditFact): Promise<void>
}

export function createBreakers(deps: BreakersDeps): Breakers {
  const { credentials, read, clock } = deps
  const list = async (): Promise<BreakerStatus[]> => {
    const all = credentials()
    if (all.length === 0) return []
    const [breakers, ledgers] = await read(async (reader) => [
      textsOf(await reader.limits('breaker')),
      textsOf(await reader.limits('budget')),
    ])
    const now = Date.parse(clock.now())
    return all.map(({ key, label, body }) => {
      const [breaker, ledger] = [breakers!.get(key) ?? null, ledgers!.get(key) ?? null]
      const unreported = deps.unreported(key)
      return breakerStatus({ key, label, body, breaker, ledger, unreported }, now)
    })
  }
  const force = async (
    by: Actor,
    key: string,
    { kind, reason }: { kind: 'forceOpen' | 'forceClose'; reason: string },
  ): Promise<BreakerStatus> => {
    const credential = credentials().find((each) => each.key === key)
    if (credential === undefined)
      throw new AlmanacError('component.not_found', `The named credential ${key} does not exist.`)
    const before = (await list()).find((each) => each.credential === key)!
    const { actor, correlationId } = by
    // A crash in between leaves an entry for a change that did not happen and is repeated; the opposite leaves no trace.
    await deps.audit(by, {
      ...{ component: `named_credential/${key}`, rationale: reason },
      kind: kind === 'forceOpen' ? 'breaker.forced_open' : 'breaker.forced_closed',
      ...{
        before: { state: before.state },
        after: { state: kind === 'forceOpen' ? 'forced_open' : 'closed' },
      },
    })
    await deps.breaker(key)[kind]({ actor, correlationId, reason }, credential.body.circuitBreaker)
    return (await list()).find((each) => each.credential === key)!
  }
  return {
    list,
    forceOpen: (by, key, reason) => force(by, key, { kind: 'forceOpen', reason }),
    forceClose: (by, key, reason) => force(by, key, { kind: 'forceClose', reason }),
  }
}

const textsOf = (cells: readonly { credential: string; text: string }[]): Map<string, string> =>
  new Map(cells.map(({ credential, text }) => [credential, text]))
