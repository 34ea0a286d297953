// Reads of a moment share a snapshot; the next moment sees what others have written since.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import type { RecordStore, StoredRecord } from '../../server/ports/record-store.ts'
import { createSqliteStore, openRecordStore, openSqliteStore } from '../../server/storage/sqlite/index.ts'

const object = 'object/note@1' as ObjectId
const title = 1 as FieldId
const id = '00000000-0000-7000-8000-000000000001'

const record = (text: string, version: number): StoredRecord => ({
  ...{ id, object, version, createdAt: 'x', createdBy: 'a', changedAt: 'x', changedBy: 'a' },
  ...{ values: new Map([[title, text]]), bindings: new Map(), inputs: new Map() },
})

let dir: string
let reader: RecordStore
let writer: RecordStore
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-moments-'))
  const path = join(dir, 'org.sqlite')
  const facts = { lineage: 'm', name: 'M', environment: 'test', createdAt: '2026-01-01T00:00:00.000Z' }
  createSqliteStore(path, { ...facts, sliceBudget: 1024 }).close()
  openSqliteStore(path).close()
  ;[reader, writer] = [openRecordStore(path), openRecordStore(path)]
  await writer.write(async (tx) => {
    const column = { type: 'text', indexed: false, bound: false, searched: false } as const
    await tx.enter([{ id: object, columns: [{ id: title, ...column }] }])
    await tx.insert(record('one', 1))
  })
})
afterEach(async () => {
  await reader.close()
  await writer.close()
  rmSync(dir, { recursive: true, force: true })
})

const readTitle = (): unknown => reader.readNow(({ get }) => get(object, [id])[0]?.values.get(title))?.value

const update = (text: string, version: number): Promise<void> =>
  writer.write((tx) => tx.update(record(text, version)))

describe('a read of a record', () => {
  it('sees each write of another connection', async () => {
    expect([readTitle(), readTitle()]).toEqual(['one', 'one'])
    await update('two', 2)
    expect(readTitle()).toBe('two')
    await writer.write((tx) => tx.remove(object, id))
    expect(readTitle()).toBeUndefined()
  })

  it('sees the writes of its own connection', async () => {
    expect(readTitle()).toBe('one')
    await reader.write((tx) => tx.update(record('two', 2)))
    expect(readTitle()).toBe('two')
    const undone = reader.write(async (tx) => {
      await tx.update(record('three', 3))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(readTitle()).toBe('two')
  })

  it('is refused while a transaction of its connection is running', async () => {
    let during: unknown = 'none'
    await reader.read(async () => {
      during = reader.readNow(() => 1)
    })
    expect(during).toBeNull()
    await expect.poll(() => reader.readNow(() => 1)).toEqual({ value: 1 })
  })
})

describe('the reads of a moment', () => {
  it('end with it, even if one of them or the moment fails', async () => {
    reader.inMoment(() => expect(readTitle()).toBe('one'))
    await update('two', 2)
    reader.inMoment(() => {
      const fail = (): never => {
        throw new Error('failed')
      }
      expect(() => reader.readNow(fail)).toThrow('failed')
      expect(readTitle()).toBe('two')
    })
    await update('three', 3)
    expect(() =>
      reader.inMoment(() => {
        readTitle()
        throw new Error('failed')
      }),
    ).toThrow('failed')
    await update('four', 4)
    expect(readTitle()).toBe('four')
    // Nothing holds the connection.
    await reader.write((tx) => tx.update(record('five', 5)))
    expect(readTitle()).toBe('five')
  })

  it('see one state while others write', () => {
    const other = new Database(join(dir, 'records.sqlite'))
    const version = (): unknown => reader.readNow(({ get }) => get(object, [id])[0]!.version)!.value
    const seen: unknown[] = []
    reader.inMoment(() => {
      seen.push(reader.readNow((moment) => moment.position())!.value)
      other.exec('UPDATE record_1 SET version = 7')
      seen.push(version())
    })
    expect([...seen, version()]).toEqual([0, 1, 7])
    other.close()
  })
})
