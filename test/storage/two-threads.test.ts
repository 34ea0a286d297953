// Transactions that one thread computes and another one writes: what they see of each other and of other processes, and
// what is left if one of them fails.
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AlmanacError } from '../../server/kernel/errors/almanac-error.ts'
import type { FieldId, ObjectId, StoredBinding } from '#kernel/records/index.ts'
import type { RecordTransactor, StoredRecord } from '../../server/ports/record-store.ts'
import type { RecordTable } from '../../server/ports/record-table.ts'
import { openRecordStore } from '../../server/storage/sqlite/index.ts'
import { recordsFile } from '../../server/storage/sqlite/records/records-file.ts'
import { openTwoThreads, type TwoThreads } from '../records/two-threads.ts'

const object = 'object/note@1' as ObjectId
const title = 1 as FieldId
const column = { type: 'text', indexed: true, bound: false, searched: true } as const
const table: RecordTable = { id: object, columns: [{ id: title, ...column }] }

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`
const record = (n: number, text: string, version = 1): StoredRecord => ({
  ...{ id: idOf(n), object, version, createdAt: 'x', createdBy: 'a', changedAt: 'x', changedBy: 'a' },
  ...{ values: new Map([[title, text]]), bindings: new Map(), inputs: new Map() },
})

let opened: TwoThreads
beforeEach(async () => {
  opened = openTwoThreads({ busyMs: 200 })
  await opened.store.write(async (tx) => {
    await tx.enter([table])
    await tx.insert(record(1, 'one'))
  })
})
afterEach(() => opened.close())

const titles = (): Promise<unknown[]> =>
  opened.store.read(async (reader) =>
    (await reader.page(object, null, 100)).map(({ values }) => values.get(title)),
  )

const found = async (tx: Pick<RecordTransactor, 'find'>, text: string, limit?: number): Promise<string[]> =>
  (await tx.find(object, title, text, limit)).map(({ id }) => id)

describe('a transaction on two threads', () => {
  it('finds what it has written, in the order of the ids', async () => {
    await opened.store.write(async (tx) => {
      await tx.insert(record(3, 'same'))
      await tx.insert(record(2, 'same'))
      await tx.update(record(1, 'same', 2))
      expect(await found(tx, 'same')).toEqual([idOf(1), idOf(2), idOf(3)])
      expect(await found(tx, 'same', 2)).toEqual([idOf(1), idOf(2)])
      expect(await found(tx, 'one')).toEqual([])
      await tx.remove(object, idOf(1))
      expect(await found(tx, 'same')).toEqual([idOf(2), idOf(3)])
      expect(await tx.count(object)).toBe(2)
    })
    expect(await titles()).toEqual(['same', 'same'])
  })

  it('forgets what a savepoint has undone', async () => {
    await opened.store.write(async (tx) => {
      await tx.insert(record(2, 'two'))
      const undone = tx.savepoint(async () => {
        await tx.update(record(2, 'changed', 2))
        await tx.insert(record(3, 'three'))
        expect(await found(tx, 'three')).toEqual([idOf(3)])
        throw new Error('no')
      })
      await expect(undone).rejects.toThrow('no')
      expect(await found(tx, 'three')).toEqual([])
      expect(await found(tx, 'two')).toEqual([idOf(2)])
      await tx.savepoint(() => tx.insert(record(4, 'four')))
    })
    expect(await titles()).toEqual(['one', 'two', 'four'])
  })

  it('writes nothing if its work throws', async () => {
    const failed = opened.store.write(async (tx) => {
      await tx.insert(record(2, 'two'))
      expect(await tx.count(object)).toBe(2)
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    expect(await titles()).toEqual(['one'])
  })

  it('runs on one thread if it adds tables', async () => {
    let runs = 0
    const other = 'object/other@1' as ObjectId
    await opened.store.write(async (tx) => {
      runs += 1
      await tx.insert(record(2, 'two'))
      await tx.enter([{ ...table, id: other }])
      await tx.insert({ ...record(3, 'three'), object: other })
    })
    expect(runs).toBe(2)
    expect(await titles()).toEqual(['one', 'two'])
    expect(await opened.store.read((reader) => reader.count(other))).toBe(1)
  })

  it('fails as a whole if the thread that writes stops, and the next one has a new thread', async () => {
    const failed = opened.store.write(async (tx) => {
      await tx.insert(record(2, 'two'))
      opened.kill()
      await tx.count(object)
    })
    await expect(failed).rejects.toThrow('The thread that writes records has stopped.')
    expect(await titles()).toEqual(['one'])
    await opened.store.write((tx) => tx.insert(record(3, 'three')))
    expect(await titles()).toEqual(['one', 'three'])
  })
})

describe('a transaction that does not wait for the commit of the one before', () => {
  it('sees what that has written', async () => {
    const order: string[] = []
    const first = opened.store.writeMany(
      (tx) => tx.insert(record(2, 'two')),
      () => order.push('sent'),
    )
    const second = opened.store.writeMany(async (tx) => {
      order.push('next')
      expect(await found(tx, 'two')).toEqual([idOf(2)])
      await tx.update(record(2, 'changed', 2))
      await tx.insert(record(3, 'three'))
    })
    const third = opened.store.writeMany(async (tx) => {
      expect(await found(tx, 'two')).toEqual([])
      expect(await found(tx, 'changed')).toEqual([idOf(2)])
      expect(await tx.get(object, [idOf(1), idOf(3)])).toHaveLength(2)
    })
    await first.then(() => order.push('durable'))
    await Promise.all([second, third])
    expect(order).toEqual(['sent', 'next', 'durable'])
    expect(await titles()).toEqual(['one', 'changed', 'three'])
  })

  it('knows the position after each change, without one that was undone', async () => {
    const before = await opened.store.read((reader) => reader.position())
    const write = async (tx: RecordTransactor, n: number): Promise<number> => {
      await tx.insert(record(n, String(n)))
      await tx.appendChange({
        ...{ object, record: idOf(n), version: 1, operation: 'insert', at: 'x', by: 'a', correlationId: 'c' },
        ...{ generation: 1, bindings: [], fields: [{ field: title, before: null, after: String(n) }] },
      })
      return tx.position()
    }
    const positions = await Promise.all([
      opened.store.writeMany((tx) => write(tx, 2)),
      opened.store.writeMany(async (tx) => {
        const undone = tx.savepoint(async () => {
          await write(tx, 3)
          throw new Error('no')
        })
        await undone.catch(() => undefined)
        return write(tx, 4)
      }),
      opened.store.writeMany((tx) => tx.position()),
    ])
    expect(positions).toEqual([before + 1, before + 2, before + 2])
    expect(await opened.store.read((reader) => reader.position())).toBe(before + 2)
  })

  it('runs again if that is not written', async () => {
    const seen: unknown[] = []
    const first = opened.store.writeMany(async (tx) => {
      await tx.insert(record(2, 'two'))
      // Two records with one id: the thread that writes refuses the second one.
      await tx.insert(record(2, 'again'))
    })
    const second = opened.store.writeMany(async (tx) => {
      seen.push(await found(tx, 'again'))
      await tx.insert(record(3, 'three'))
    })
    await expect(first).rejects.toThrow(/UNIQUE/)
    await second
    expect(seen).toEqual([[idOf(2)], []])
    expect(await titles()).toEqual(['one', 'three'])
  })

  it('stores its own bindings after one that has failed in the middle', async () => {
    const bindingOf = (generation: number): StoredBinding => ({
      ...{ generation, asOf: null, config: {}, functions: {}, scopePath: {} },
    })
    const [one, two, three] = [bindingOf(1), bindingOf(2), bindingOf(3)]
    const bound = (n: number, binding: StoredBinding): StoredRecord => ({
      ...record(n, String(n)),
      bindings: new Map([[title, binding]]),
    })
    await opened.store.write(async (tx) => {
      await tx.enter([{ id: object, columns: [{ id: title, ...column, bound: true }] }])
      await tx.insert(bound(2, one))
    })
    const failed = opened.store.writeMany(async (tx) => {
      await tx.insert(bound(2, one))
      await tx.savepoint(() => tx.insert(bound(3, two)))
    })
    await expect(failed).rejects.toThrow(/UNIQUE/)
    await opened.store.writeMany(async (tx) => {
      await tx.insert(bound(5, three))
      await tx.insert(bound(6, two))
      await tx.insert(bound(7, one))
    })
    const records = await opened.store.read((reader) => reader.page(object, idOf(4), 10))
    expect(records.map(({ bindings }) => bindings.get(title)?.generation)).toEqual([3, 2, 1])
  })

  it('runs again if another process has written between them', async () => {
    const other = openRecordStore(opened.path)
    let begun = 0
    opened.before = async ({ kind }) => {
      if (kind === 'begin' && (begun += 1) === 2)
        await other.write((tx) => tx.update(record(1, 'of another', 2)))
    }
    const seen: unknown[] = []
    const first = opened.store.writeMany((tx) => tx.insert(record(2, 'two')))
    const second = opened.store.writeMany(async (tx) => {
      seen.push((await tx.get(object, [idOf(1)]))[0]!.values.get(title))
      await tx.insert(record(3, 'three'))
    })
    await Promise.all([first, second])
    await other.close()
    expect(seen).toEqual(['one', 'of another'])
    expect(await titles()).toEqual(['of another', 'two', 'three'])
  })

  it('keep what was sent while the other side waits for the lock', async () => {
    const other = new Database(recordsFile(opened.path))
    const rows = (from: number) => async (tx: RecordTransactor) => {
      for (let n = from; n < from + 300; n += 1) {
        await tx.insert(record(n, String(n)))
        await tx.appendChange({
          ...{ object, record: idOf(n), version: 1, operation: 'insert', at: 'x', by: 'a', generation: 1 },
          ...{ correlationId: 'c', bindings: [], fields: [{ field: title, before: null, after: String(n) }] },
        })
      }
    }
    // It has the lock between the two transactions.
    opened.before = ({ kind }) => {
      if (kind === 'begin' && begins++ === 1) {
        other.exec('BEGIN IMMEDIATE')
        setTimeout(() => other.exec('ROLLBACK'), 60)
      }
    }
    let begins = 0
    await Promise.all([opened.store.writeMany(rows(1000)), opened.store.writeMany(rows(2000))])
    other.close()
    expect(await opened.store.read((reader) => reader.count(object))).toBe(601)
  })

  it('fail as a whole while another process has locked the records, and are written once it has not', async () => {
    const other = new Database(recordsFile(opened.path))
    const rows = (n: number) => async (tx: RecordTransactor) => {
      // The other thread is asked for this, and its error is not that of an item.
      await tx.count(object)
      await tx.insert(record(n, String(n)))
    }
    const failures = async (): Promise<unknown[]> => {
      const all = await Promise.allSettled([2, 3, 4].map((n) => opened.store.writeMany(rows(n))))
      return all.map((each) => (each.status === 'rejected' ? (each.reason as AlmanacError).code : null))
    }
    other.exec('BEGIN IMMEDIATE')
    expect(await failures()).toEqual(['org.busy', 'org.busy', 'org.busy'])
    other.exec('ROLLBACK')
    other.close()
    expect(await titles()).toEqual(['one'])
    expect(await failures()).toEqual([null, null, null])
    expect(await titles()).toEqual(['one', '2', '3', '4'])
  })
})
