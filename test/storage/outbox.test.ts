// The outbox in storage: order, claims, and what happens to effects that were delivered. Compared with a plain list.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import type { OutboxRow } from '../../server/ports/outbox.ts'
import type { RecordEffect, RecordStore } from '../../server/ports/record-store.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'

let dir: string
let store: RecordStore
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-outbox-'))
  await initOrg(join(dir, 'org'), { name: 'Outbox', environment: 'test' }).close()
  store = openRecordStore(orgFile(join(dir, 'org')))
})
afterEach(async () => {
  await store.close()
  rmSync(dir, { recursive: true, force: true })
})

const instant = (seconds: number): string => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()

function effect(record: string, at = 0): RecordEffect {
  return {
    ...{ kind: 'enqueue', automation: 'notify', action: 'send', record, version: 1, generation: 1 },
    ...{ actor: 'ada', at: instant(at), body: { method: 'POST' }, deferred: [] },
  }
}
let made = 0
const enqueue = (record: string, credential = 'bank', at = 0): Promise<string> =>
  store.write(async (tx) => {
    const id = `row-${(made += 1)}`
    await tx.append(effect(record, at), {
      id,
      credential,
      correlationId: 'c',
      scopePath: {},
      prior: 0,
      job: null,
    })
    return id
  })
const claim = (now: number, more: { limit?: number; limits?: Map<string, number>; token?: string } = {}) =>
  store.write((tx) =>
    tx.claimOutbox({
      ...{ now: instant(now), until: instant(now + 60), token: more.token ?? 'a', limit: more.limit ?? 100 },
      ...{ limits: more.limits ?? new Map(), defaultLimit: 100 },
    }),
  )
const ids = (rows: readonly OutboxRow[]): string[] => rows.map(({ id }) => id)
const put = (row: OutboxRow, token: string | null): Promise<boolean> =>
  store.write((tx) => tx.putOutbox(row, token))
const again = (row: OutboxRow, at: number): OutboxRow => ({
  ...row,
  state: 'pending',
  nextAttemptAt: instant(at),
})

describe('a claim', () => {
  it('takes the oldest open row of a record and credential alone', async () => {
    const [first, second, other, elsewhere] = [
      await enqueue('invoice/1'),
      await enqueue('invoice/1'),
      await enqueue('invoice/2'),
      await enqueue('invoice/1', 'ledger'),
    ]
    const rows = await claim(1)
    expect(new Set(ids(rows))).toEqual(new Set([first, other, elsewhere]))
    expect(await claim(2)).toEqual([])
    // One that waits for its next attempt still goes first, and a dead one blocks nobody.
    const row = rows.find(({ id }) => id === first)!
    await put(again(row, 30), 'a')
    expect(await claim(10)).toEqual([])
    const [retried] = await claim(30)
    await put({ ...retried!, state: 'dead' }, 'a')
    expect(ids(await claim(31))).toEqual([second])
  })

  it('takes calls without a record in any order, and no more than the limits', async () => {
    for (let at = 0; at < 10; at += 1) await enqueue('')
    for (let at = 0; at < 10; at += 1) await enqueue('', 'ledger')
    const limits = new Map([['ledger', 2]])
    expect((await claim(1, { limits, limit: 8 })).map(({ credential }) => credential)).toEqual([
      ...Array.from({ length: 8 }, () => 'bank'),
    ])
    expect((await claim(1, { limits })).map(({ credential }) => credential).toSorted()).toEqual([
      ...['bank', 'bank', 'ledger', 'ledger'],
    ])
    expect(await claim(1, { limits })).toEqual([])
  })

  it('is needed to write a row, and ends with its time', async () => {
    const id = await enqueue('invoice/1')
    const [row] = await claim(0, { token: 'a' })
    expect(await put(again(row!, 9), 'b')).toBe(false)
    expect(await store.write((tx) => tx.removeOutbox(id, 'b'))).toBe(false)
    expect(await store.read((reader) => reader.outboxRow(id))).toMatchObject({ state: 'sending' })
    expect(await store.write((tx) => tx.lapsedOutbox(instant(59)))).toEqual([])
    const [lapsed] = await store.write((tx) => tx.lapsedOutbox(instant(60)))
    expect(lapsed!.id).toBe(id)
    expect(await put(again(lapsed!, 61), 'a')).toBe(true)
    expect(await put(again(lapsed!, 61), 'a')).toBe(false)
  })

  it('agrees with a plain list after any steps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.record({ do: fc.constant('enqueue'), record: fc.nat(2), credential: fc.nat(1) }),
            fc.record({ do: fc.constant('claim'), limit: fc.integer({ min: 1, max: 3 }) }),
            fc.record({ do: fc.constantFrom('deliver', 'retry', 'bury'), at: fc.nat(5) }),
          ),
          { maxLength: 40 },
        ),
        async (steps) => {
          /** `next`: when it is due, or its claim ends. */
          const open: { id: string; place: string; credential: string; next: number; claimed: boolean }[] = []
          await store.write(async (tx) => {
            for (const row of await tx.outboxRows({}, 1000))
              if (row.state !== 'dead')
                await tx.putOutbox({ ...row, state: 'dead' }, row.state === 'sending' ? 'a' : null)
          })
          for (const [now, step] of steps.entries()) {
            if (step.do === 'enqueue') {
              const { record, credential } = step as { record: number; credential: number }
              const key = `c${credential}`
              const id = await enqueue(`r/${record}`, key, now)
              open.push({ id, place: `${record} ${credential}`, credential: key, next: now, claimed: false })
            } else if (step.do === 'claim') {
              const { limit } = step as { limit: number }
              const due = open.filter(
                (row, at) =>
                  !row.claimed &&
                  row.next <= now &&
                  !open.slice(0, at).some(({ place }) => place === row.place),
              )
              const found = await claim(now, { limit })
              expect(found.length).toBe(Math.min(limit, due.length))
              for (const { id } of found) {
                expect(due.map((row) => row.id)).toContain(id)
                Object.assign(
                  open.find((row) => row.id === id)!,
                  { claimed: true, next: now + 60 },
                )
              }
            } else {
              const claimed = open.filter((row) => row.claimed)
              const row = claimed[(step as { at: number }).at % Math.max(claimed.length, 1)]
              if (row === undefined) continue
              const stored = (await store.read((reader) => reader.outboxRow(row.id)))!
              if (step.do === 'retry') {
                row.claimed = false
                row.next = now + 2
                expect(await put(again(stored, now + 2), 'a')).toBe(true)
              } else {
                open.splice(open.indexOf(row), 1)
                if (step.do === 'bury') expect(await put({ ...stored, state: 'dead' }, 'a')).toBe(true)
                else expect(await store.write((tx) => tx.removeOutbox(row.id, 'a'))).toBe(true)
              }
            }
            const waiting = open.filter(
              (row, at) => row.claimed || !open.slice(0, at).some(({ place }) => place === row.place),
            )
            const nextAt = waiting.length === 0 ? null : instant(Math.min(...waiting.map(({ next }) => next)))
            expect(await store.read((reader) => reader.nextOutboxAt())).toBe(nextAt)
          }
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('a delivered row', () => {
  it('is removed with its effect, whose number is not used again', async () => {
    const first = await enqueue('invoice/1')
    await claim(0)
    await store.write((tx) => tx.removeOutbox(first, 'a'))
    expect(await store.read((reader) => reader.effects(0, 10))).toEqual([])
    await enqueue('invoice/2')
    expect((await store.read((reader) => reader.effects(0, 10))).map(({ sequence }) => sequence)).toEqual([2])
  })

  it('does not come without its save', async () => {
    const failed = store.write(async (tx) => {
      await tx.append(effect('invoice/1'), {
        id: 'x',
        credential: 'bank',
        correlationId: 'c',
        scopePath: {},
        prior: 0,
        job: null,
      })
      throw new Error('the save fails')
    })
    await expect(failed).rejects.toThrow('the save fails')
    expect(await store.read((reader) => reader.outboxRows({}, 10))).toEqual([])
  })
})

describe('rows that were dealt with', () => {
  it('go after their time; dead ones stay', async () => {
    const resolved = await enqueue('invoice/1')
    const dead = await enqueue('invoice/2')
    for (const row of await claim(0))
      await put(
        row.id === resolved
          ? { ...row, state: 'resolved', resolution: { at: instant(5), by: 'ada', reason: '' } }
          : { ...row, state: 'dead' },
        'a',
      )
    const purge = (before: string, after = 0) =>
      store.write((tx) => tx.purgeOutbox(before, { after, limit: 1 }))
    const { last } = await purge(instant(5))
    expect(await purge(instant(5))).toEqual({ removed: 0, last: expect.any(Number) as number })
    expect(await purge(instant(6), last!)).toEqual({ removed: 0, last: null })
    expect(await purge(instant(6))).toEqual({ removed: 1, last })
    expect(ids(await store.read((reader) => reader.outboxRows({}, 10)))).toEqual([dead])
    expect(await store.read((reader) => reader.countOutbox({}))).toMatchObject({ dead: 1, resolved: 0 })
  })

  it('are found by state, credential, record, correlation and time', async () => {
    const id = await enqueue('invoice/1', 'bank', 5)
    await enqueue('invoice/2', 'ledger', 9)
    const found = async (filter: object): Promise<string[]> =>
      ids(await store.read((reader) => reader.outboxRows(filter, 10)))
    for (const filter of [
      { credential: 'bank' },
      { record: 'invoice/1' },
      { until: instant(9) },
      { since: instant(5), until: instant(6) },
      { states: ['pending'], record: 'invoice/1' },
    ])
      expect([filter, await found(filter)]).toEqual([filter, [id]])
    expect(await found({ states: ['dead'] })).toEqual([])
    expect(await found({ correlationId: 'c' })).toHaveLength(2)
  })
})
