// Compares what the target received with what the org has stored. Knows nothing of how the worker works.
import Database from 'better-sqlite3'
import { openOrg } from '../../../server/compose/open-org.ts'
import { orgFile } from '../../../server/compose/org-folder.ts'
import type { OutboxRow } from '../../../server/ports/outbox.ts'
import { recordsFile } from '../../../server/storage/sqlite/records/records-file.ts'
import { allChanges } from '../../support/record-changes.ts'
import { credentials, isRepeatable, kinds } from './org.ts'
import type { Received, Target } from './target.ts'

interface Sent {
  /** Null if it was delivered. */
  state: OutboxRow['state'] | null
  attempts: number
}

export interface StoredCalls {
  /** Per record, the calls that its saves have left: `<action> <number> <turn>`, in order. */
  left: string[][]
  /** What is known of each call. */
  known: ReadonlyMap<string, Sent[]>
  /** How many calls are neither delivered nor dead. */
  open: number
}

/** Reads the org, whose processes have ended. */
export async function readCalls(dir: string): Promise<StoredCalls> {
  const org = openOrg(dir)
  const known = new Map<string, Sent[]>()
  const add = (call: string, sent: Sent): void => void known.set(call, [...(known.get(call) ?? []), sent])
  try {
    return await org.records.store().read(async (reader) => {
      const { names } = org.records.snapshots.active()
      const number = names.fieldIds('order').get('number')!
      const orders = await reader.page(names.objectId('order')!, null, 1_000_000)
      const numbers = new Map(orders.map(({ id, values }) => [`order/${id}`, String(values.get(number))]))
      const left: string[][] = []
      for (const { id, object } of orders) {
        const turns = (await allChanges(reader, object, id)).map(({ version }) => version)
        const place = numbers.get(`order/${id}`)
        left.push(turns.flatMap((turn) => Object.keys(kinds).map((action) => `${action} ${place} ${turn}`)))
      }
      const rows = await reader.outboxRows({}, 1_000_000)
      for (const { effect, state, attempts } of rows)
        add(`${effect.action} ${numbers.get(effect.record)} ${effect.version}`, {
          state,
          attempts: attempts.length,
        })
      for (const { record, version, action, attempts } of delivered(dir))
        add(`${action} ${numbers.get(record)} ${version}`, { state: null, attempts })
      const open = rows.filter(({ state }) => state === 'pending' || state === 'sending').length
      return { left, known, open }
    })
  } finally {
    await org.close()
  }
}

function delivered(dir: string): { record: string; version: number; action: string; attempts: number }[] {
  const db = new Database(recordsFile(orgFile(dir)), { readonly: true })
  try {
    return db.prepare('SELECT record, version, action, attempts FROM check_delivered').all() as never
  } finally {
    db.close()
  }
}

/** What is wrong; empty if all promises were kept. */
export function faultsOf(
  { left, known }: StoredCalls,
  target: Pick<Target, 'received' | 'faults'>,
): string[] {
  const received = Map.groupBy(target.received, ({ call }) => call)
  const expected = new Set(left.flat())
  return [
    ...target.faults,
    ...[...received.keys()].filter((call) => !expected.has(call)).map((call) => `nobody left ${call}`),
    ...[...expected].flatMap((call) => faultsOfCall(call, known.get(call) ?? [], received.get(call) ?? [])),
    ...left.flatMap((calls) => disorder(calls, target.received)),
    ...crowdedMinutes(target.received),
  ]
}

function faultsOfCall(call: string, known: readonly Sent[], received: readonly Received[]): string[] {
  const faults: string[] = []
  const [sent] = known
  if (sent === undefined) return [`${call} is lost`]
  if (known.length > 1) faults.push(`${call} is stored ${known.length} times`)
  if (sent.state === null && !received.some(({ status }) => status !== null && status < 300))
    faults.push(`${call} is gone, but was not delivered`)
  if (received.length > sent.attempts)
    faults.push(`${call} was sent ${received.length} times, ${sent.attempts} attempts are counted`)
  if (received.length > 1 && !isRepeatable(kinds[call.split(' ')[0]!]!))
    faults.push(`${call} cannot be repeated, but was sent ${received.length} times`)
  const keys = new Set(received.map(({ key }) => key))
  if (keys.size > 1 || keys.has(undefined)) faults.push(`${call} was sent with the keys ${[...keys].join()}`)
  return faults
}

/** No call of a record and credential arrives before an older one that arrives again. */
function disorder(calls: readonly string[], received: readonly Received[]): string[] {
  const place = new Map(calls.map((call, index) => [call, index]))
  const faults: string[] = []
  for (const credential of Object.keys(credentials)) {
    let last = -1
    for (const each of received) {
      const at = place.get(each.call)
      if (at === undefined || each.credential !== credential) continue
      if (at < last) faults.push(`${each.call} arrived after ${calls[last]}`)
      last = Math.max(last, at)
    }
  }
  return faults
}

/** Slightly less than a minute: a request can arrive later than it was sent. */
const minuteMs = 59_000

function crowdedMinutes(received: readonly Received[]): string[] {
  return Object.entries(credentials).flatMap(([credential, { budget }]) => {
    const times = received.filter((each) => each.credential === credential).map(({ at }) => at)
    const first = times.findIndex((at, index) => times[index + budget.requestsPerMinute]! - at < minuteMs)
    if (first < 0) return []
    const within = times.filter((at) => at >= times[first]! && at < times[first]! + minuteMs).length
    return [`${within} calls of ${credential} within a minute, not ${budget.requestsPerMinute}`]
  })
}
