// SIGKILL and SIGSTOP while events are written and numbered: every committed write has exactly its events.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkFolder } from '../../server/compose/check.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg, openOrg } from '../../server/compose/open-org.ts'
import { orgFile } from '../../server/compose/org-folder.ts'
import type { ChannelId } from '../../server/kernel/events/index.ts'
import type { DrainRequest } from '../../server/ports/events.ts'
import type { EventStart } from '../../server/records/index.ts'
import type { RecordStore } from '../../server/ports/record-store.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'
import { bundled } from '../support/bundled.mjs'
import { afterLastRow, lateDrainer } from './events/planted.ts'
import { effectiveAccess } from '../../server/access/index.ts'
import { committedWrites, eventFaults, publishedIds } from './events/check.ts'

const kills = Number(process.env['ALMANAC_KILLS'] ?? 4)

const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }
const components = [
  {
    ...{ type: 'object', key: 'note', label: 'Note' },
    body: { fields: [{ key: 'title', type: 'text' }], nameField: 'title', capture: { enabled: true } },
  },
  {
    ...{ type: 'event_channel', key: 'memo', label: 'Memo' },
    body: { schema: [{ key: 'text', type: 'text' }], publish: { writer: 'publish' } },
  },
  {
    ...{ type: 'permission_set', key: 'writer', label: 'Writer' },
    body: { objects: { note: rights }, fields: { 'note.title': { read: true, edit: true } } },
  },
]

let folder: string
let dir: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'almanac-event-kills-'))
  dir = join(folder, 'org')
  const org = initOrg(dir, { name: 'Events', environment: 'test' })
  const by = { actor: 'admin', correlationId: 'c', isOperator: true }
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await enginesOf(org).access.addUser(by, { key: 'ada', name: 'Ada', permissionSets: ['writer'] })
  await org.close()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface Writing {
  child: ChildProcess
  lines: string[]
  after(count: number): Promise<void>
}

function writing(...args: string[]): Writing {
  const child = spawn(process.execPath, [bundled('vitest', 'event-child'), dir, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let rest = ''
  let reached = (): void => undefined
  child.stdout!.on('data', (chunk: Buffer) => {
    const found = (rest + chunk.toString()).split('\n')
    rest = found.pop()!
    lines.push(...found)
    reached()
  })
  return {
    ...{ child, lines },
    after: (count) =>
      new Promise((resolve) => {
        reached = () => void (lines.length >= count && resolve())
        reached()
      }),
  }
}

async function end({ child }: Writing, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  child.kill(signal)
  await once(child, 'close')
}

/** Numbers what is left, by a drainer of its own. */
async function drainAll(): Promise<void> {
  const draining = writing('drain')
  const store = openRecordStore(orgFile(dir))
  await expect
    .poll(() => store.read(async (reader) => (await reader.waitingEvents()).count), { timeout: 30_000 })
    .toBe(0)
  await store.close()
  await end(draining, 'SIGTERM')
  expect(draining.lines.filter((line) => line.startsWith('error'))).toEqual([])
}

function checkAcknowledged(lines: readonly string[]): void {
  const [writes, published] = [committedWrites(dir), publishedIds(dir)]
  for (const line of lines) {
    const [what, ...rest] = line.split(' ')
    if (what === 'saved') expect(writes).toContain(rest.join(' '))
    if (what === 'published') expect(published).toContain(rest[0])
  }
}

describe('events', () => {
  it(
    `are complete after ${kills} kills of two processes that write and number them`,
    async () => {
      const lines: string[] = []
      for (let kill = 0; kill < kills; kill += 1) {
        const both = [writing(), writing()]
        await both[0]!.after(20 + Math.floor(Math.random() * 60))
        await Promise.all(both.map((each) => end(each, 'SIGKILL')))
        lines.push(...both.flatMap((each) => each.lines))
      }
      await drainAll()
      expect(eventFaults(dir)).toEqual([])
      checkAcknowledged(lines)
      expect(lines.filter((line) => line.startsWith('published')).length).toBeGreaterThan(kills)
      expect(checkFolder(dir)).toEqual({ ok: true, findings: [] })
    },
    60_000 + kills * 15_000,
  )

  it('are numbered once although processes stop for a while and are woken', async () => {
    const [first, second] = [writing(), writing()]
    await Promise.all([first.after(20), second.after(20)])
    for (let round = 0; round < 4; round += 1) {
      const [stopped, other] = round % 2 === 0 ? [first, second] : [second, first]
      stopped.child.kill('SIGSTOP')
      // It can hold the lock of the database, and then the other one waits.
      await Promise.race([other.after(other.lines.length + 20), wait(500)])
      stopped.child.kill('SIGCONT')
      await stopped.after(stopped.lines.length + 10)
    }
    await Promise.all([end(first, 'SIGKILL'), end(second, 'SIGKILL')])
    await drainAll()
    expect(eventFaults(dir)).toEqual([])
    checkAcknowledged([...first.lines, ...second.lines])
  }, 120_000)
})

describe('the lease of a drainer', () => {
  const channel = 'event_channel memo 1' as ChannelId
  const channels = new Map([[channel, { partitions: 2, replaces: null }]])
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
  const drain = (
    store: RecordStore,
    token: string,
    second: number,
    request: Partial<DrainRequest> = {},
  ): Promise<string> =>
    store
      .write((tx) =>
        tx.drainEvents({
          ...{ token, isHolder: false, now: at(second), until: at(second + 10) },
          ...{ limit: 1, channels, hasOtherChannels: false, ...request },
        }),
      )
      .then((outcome) =>
        outcome.kind === 'lost' ? 'lost' : `${outcome.events}${outcome.isEmpty ? ' empty' : ''}`,
      )
  const publish = (store: RecordStore, count: number): Promise<void> =>
    store.write(async (tx) => {
      for (let number = 0; number < count; number += 1)
        await tx.publish({
          ...{ id: crypto.randomUUID(), channel, hash: number, at: at(0), actor: 'a', correlationId: 'c' },
          ...{ generation: 1, payload: {}, records: [], sensitive: [] },
        })
    })

  it('keeps others out while it lasts, and lets nothing be numbered once it is lost', async () => {
    const [one, other] = [openRecordStore(orgFile(dir)), openRecordStore(orgFile(dir))]
    await publish(one, 6)
    expect(await drain(one, 'a', 0)).toBe('1')
    expect(await drain(other, 'b', 5)).toBe('lost')
    expect(await drain(one, 'a', 6, { isHolder: true })).toBe('1')
    // The first one sleeps until its lease has ended, and the other one takes over.
    expect(await drain(other, 'b', 17)).toBe('1')
    expect(await drain(one, 'a', 18, { isHolder: true })).toBe('lost')
    expect(await drain(one, 'a', 18)).toBe('lost')
    expect(await drain(other, 'b', 19, { isHolder: true, limit: 10 })).toBe('3 empty')
    // The lease is free, but the first one does not hold it.
    expect(await drain(one, 'a', 20, { isHolder: true })).toBe('lost')
    expect(await drain(one, 'a', 20)).toBe('0 empty')
    await Promise.all([one.close(), other.close()])
    expect(eventFaults(dir)).toEqual([])
  })

  it('is what the check would miss in a drainer that numbers without it', async () => {
    const [one, other] = [openRecordStore(orgFile(dir)), openRecordStore(orgFile(dir))]
    await publish(one, 2)
    const late = lateDrainer(dir)
    expect(await drain(other, 'b', 0, { limit: 10 })).toBe('2 empty')
    late.number()
    await Promise.all([one.close(), other.close()])
    expect(eventFaults(dir)).toContainEqual(expect.stringMatching(/is there 2 times$/))
  })

  it('does not help a drainer that reads after the last row, which the check reports', async () => {
    const store = openRecordStore(orgFile(dir))
    const planted = afterLastRow(dir)
    await publish(store, 3)
    planted.number()
    await publish(store, 3)
    planted.number()
    await store.close()
    expect(eventFaults(dir)).toContainEqual(expect.stringMatching(/events were never numbered$/))
  })
})

describe('a log that was restored from a copy', () => {
  async function startOf(at: string, start: EventStart) {
    const org = openOrg(at)
    const generation = org.activeGeneration()
    const access = org.store.read((reader) => effectiveAccess(reader, 'ada', org.pin().view))
    const from = { access, generation, scopePath: {} }
    const started = await enginesOf(org).records.events.start(from, 'changes.note', start, null)
    await org.close()
    return started
  }

  it('begins an epoch, so that numbers which were used before are recognised', async () => {
    const first = writing()
    await first.after(60)
    await end(first, 'SIGKILL')
    await drainAll()
    const copy = join(folder, 'copy')
    cpSync(dir, copy, { recursive: true })
    const second = writing()
    await second.after(60)
    await end(second, 'SIGKILL')
    await drainAll()
    const { cursor: ahead } = await startOf(dir, { kind: 'latest' })
    const { gap, cursor } = await startOf(copy, { kind: 'cursor', cursor: ahead })
    expect(gap).toMatchObject({ reason: 'restored' })
    expect(cursor).toMatch(/^[\w-]+\.2\./)
    // What another consumer has received of the lost part is recognised too, even if its numbers are used again.
    const another = await startOf(copy, { kind: 'cursor', cursor: ahead })
    expect(another.gap).toMatchObject({ reason: 'restored' })
    // A consumer that has received nothing of the lost part goes on.
    const begun = ahead.replace(/(\d+):\d+/g, '$1:0')
    expect(await startOf(copy, { kind: 'cursor', cursor: begun })).toMatchObject({ gap: null })
  }, 120_000)

  it('and has grown past a cursor is recognised by the events: nothing is left out', async () => {
    const first = writing()
    await first.after(40)
    await end(first, 'SIGKILL')
    await drainAll()
    const shared = await startOf(dir, { kind: 'latest' })
    const copy = join(folder, 'copy')
    cpSync(dir, copy, { recursive: true })
    const lost = writing()
    await lost.after(40)
    await end(lost, 'SIGKILL')
    await drainAll()
    const ahead = await startOf(dir, { kind: 'latest' })
    dir = copy
    const again = writing()
    await again.after(400)
    await end(again, 'SIGKILL')
    await drainAll()
    const grown = await startOf(dir, { kind: 'latest' })
    expect(grown.position.every((number, at) => number > ahead.position[at]!)).toBe(true)
    // A cursor in what both logs have in common continues.
    expect(await startOf(dir, { kind: 'cursor', cursor: shared.cursor })).toMatchObject({
      ...{ gap: null, epoch: 1, position: shared.position },
    })
    const { gap, position, epoch } = await startOf(dir, { kind: 'cursor', cursor: ahead.cursor })
    const isLost = ahead.position.map((number, at) => number > shared.position[at]!)
    expect(isLost).toContain(true)
    expect(gap).toEqual({
      reason: 'restored',
      partitions: ahead.position.flatMap((number, partition) =>
        isLost[partition] ? [{ partition, asked: String(number), resumesAfter: '0' }] : [],
      ),
    })
    expect(position).toEqual(ahead.position.map((number, at) => (isLost[at] ? 0 : number)))
    expect(epoch).toBe(2)
    // Without the marks, as a person writes it, a cursor shows nothing about the log.
    const plain = ahead.position.map((number, at) => `${at}:${number}`).join()
    expect(await startOf(dir, { kind: 'cursor', cursor: plain })).toMatchObject({ gap: null })
  }, 120_000)
})
