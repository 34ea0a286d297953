// Drafts without their texts are read again only after a write by any connection, and never in the state of a write
// that failed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { initOrg, openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { draftsMark, longestDraftOf, visibleDraftBriefs } from '../../server/pipeline/index.ts'
import { draftTable } from '../../server/ports/draft-table.ts'
import type { DraftRow } from '#wire/index.ts'

let dir: string
let org: OpenedOrg
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-briefs-'))
  org = initOrg(dir, { name: 'Briefs', environment: 'test' })
})
afterEach(async () => {
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

const draft = (key: string): DraftRow => ({
  ...{ id: `app/${key}`, text: '{', baseDigest: null, baseGeneration: 1, version: 1 },
  ...{ author: 'admin', changedBy: 'admin', updatedAt: '2026-01-01T00:00:00.000Z' },
  writers: [{ user: 'admin', operator: null }],
})
const ids = (): string[] => org.store.read((reader) => visibleDraftBriefs(reader, null)).map(({ id }) => id)

it('drafts follow the writes of this connection and of others', async () => {
  await org.write((transactor) => transactor[draftTable].put(draft('a')))
  expect(ids()).toEqual(['app/a'])
  const other = openOrg(dir)
  await other.write((transactor) => transactor[draftTable].put(draft('b')))
  await other.close()
  expect(ids()).toEqual(['app/a', 'app/b'])
  await org.write((transactor) => transactor[draftTable].delete('app/a'))
  expect(ids()).toEqual(['app/b'])
})

it('drafts do not keep a write that is rolled back', async () => {
  const failed = org.write((transactor) => {
    transactor[draftTable].put(draft('a'))
    expect(visibleDraftBriefs(transactor, null)).toHaveLength(1)
    throw new Error('Not kept.')
  })
  await expect(failed).rejects.toThrow('Not kept.')
  expect(ids()).toEqual([])
})

it('drafts are the same list until something is written', () => {
  const read = (): unknown => org.store.read((reader) => visibleDraftBriefs(reader, null))
  expect(read()).toBe(read())
})

it('drafts have a mark that changes whenever a draft changes, from any connection', async () => {
  const mark = (): string => org.store.read(draftsMark)
  const marks = [mark()]
  await org.write((transactor) => transactor[draftTable].put(draft('a')))
  marks.push(mark())
  const other = openOrg(dir)
  await other.write((transactor) => transactor[draftTable].put({ ...draft('a'), version: 2 }))
  await other.close()
  marks.push(mark())
  await org.write((transactor) => transactor[draftTable].put(draft('b')))
  marks.push(mark())
  expect(new Set(marks).size).toBe(4)
  await org.write((transactor) => transactor[draftTable].delete('app/b'))
  expect(mark()).toBe(marks[2])
})

it('drafts of one type are read alone, and the longest one without its text', async () => {
  expect(org.store.read((reader) => longestDraftOf(reader, 'app'))).toBe(0)
  await org.write((transactor) => {
    transactor[draftTable].put(draft('a'))
    transactor[draftTable].put({ ...draft('b'), text: '{ö' })
    transactor[draftTable].put({ ...draft('c'), id: 'value_set/c', text: '{"long"' })
    transactor[draftTable].put({ ...draft('d'), text: null })
  })
  const ofType = org.store.read((reader) => reader[draftTable].ofType('app').map(({ id }) => id))
  expect(ofType).toEqual(['app/a', 'app/b', 'app/d'])
  expect(org.store.read((reader) => longestDraftOf(reader, 'app'))).toBe(3)
})
