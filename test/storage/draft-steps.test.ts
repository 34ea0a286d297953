// The list of drafts is read in steps, but shows one moment.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { initOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { draftTable } from '../../server/ports/draft-table.ts'
import type { DraftRow } from '#wire/index.ts'

let dir: string
let org: OpenedOrg
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'almanac-steps-'))
  org = initOrg(dir, { name: 'Briefs', environment: 'test' })
})
afterEach(async () => {
  await org.close()
  rmSync(dir, { recursive: true, force: true })
})

const draftOf = (at: number): DraftRow => ({
  ...{ id: `app/a${at}`, text: '{', version: 1, baseDigest: null, baseGeneration: 0 },
  ...{ author: at % 2 === 0 ? 'mara' : 'jonas', changedBy: 'mara', writers: [] },
  ...{ updatedAt: '2026-01-01T00:00:00.000Z' },
})
const put = (...places: number[]): Promise<void> =>
  org.write((transactor) => {
    for (const at of places) transactor[draftTable].put(draftOf(at))
  })
const steps = () => org.store.read((reader) => reader[draftTable].summarySteps())
const atOnce = () => org.store.read((reader) => reader[draftTable].summaries())
const some = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

function finish<T>(reading: Generator<void, T>): T {
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
  }
}

describe('drafts read in steps', () => {
  it.each([0, 1, 999, 1000, 1001, 2500])('contain all %i of them, in order', async (count) => {
    await put(...some(count))
    const read = finish(steps())
    expect(read).toHaveLength(count)
    // Read again after a write, so that no cached list is used.
    await org.write((transactor) => transactor.remotes.put({ key: 'far' } as never))
    expect(read).toEqual(atOnce())
  })

  it('are read again if a write came in between', async () => {
    await put(...some(1500))
    const reading = steps()
    expect(reading.next().done).toBe(false)
    // The first has been read already, the last has not.
    await org.write((transactor) => {
      transactor[draftTable].delete('app/a0')
      transactor[draftTable].put(draftOf(9999))
    })
    const read = finish(reading)
    expect(read).toHaveLength(1500)
    expect(read.map(({ id }) => id)).not.toContain('app/a0')
    expect(read).toEqual(atOnce())
  })

  it('of one author are listed without the others', async () => {
    await put(0, 1, 2, 3)
    expect(org.store.read((reader) => reader[draftTable].idsOf('mara'))).toEqual(['app/a0', 'app/a2'])
  })
})
