import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryOrgStore } from '../../test/support/memory-org-store.ts'
import { checkThenWrite } from './check-then-write.ts'
import type { WriteRunner } from './write-queue.ts'

let store: MemoryOrgStore
let checks: number

beforeEach(() => {
  store = new MemoryOrgStore()
  checks = 0
})

/** Increments a number, in turns that are given after `others` wrote. */
function increment(others: () => void = () => undefined): Promise<{ checked: number }> {
  const turn: WriteRunner = {
    run: async (work) => {
      others()
      return work()
    },
  }
  return checkThenWrite(store, turn, {
    check: (reader) => {
      checks += 1
      return Number(reader.settings.get('count') ?? '0') + 1
    },
    write: (transactor, count) => transactor.settings.put('count', String(count)),
  })
}

const count = (): number => store.read((reader) => Number(reader.settings.get('count')))
const addTen = (): void =>
  store.write((transactor) =>
    transactor.settings.put('count', String(Number(transactor.settings.get('count') ?? '0') + 10)),
  )

describe('a write', () => {
  it('follows one check if nothing was written in between', async () => {
    expect(await increment()).toEqual({ checked: 1, written: undefined })
    expect([checks, count()]).toEqual([1, 1])
  })

  it('is checked again if something was written in between', async () => {
    let writes = 0
    expect(await increment(() => (writes += 1) === 1 && addTen())).toMatchObject({ checked: 11 })
    expect([checks, count()]).toEqual([2, 11])
  })

  it('is checked again if another connection or a different part of the org was written', async () => {
    let writes = 0
    await increment(
      () => (writes += 1) === 1 && store.write((transactor) => transactor.settings.put('color', 'red')),
    )
    expect([checks, count()]).toEqual([2, 1])
  })

  it('takes place even if every check is overtaken', async () => {
    expect(await increment(addTen)).toMatchObject({ checked: 41 })
    expect([checks, count()]).toEqual([4, 41])
  })

  it('needs no turn if there is nothing to write', async () => {
    const turn: WriteRunner = { run: () => Promise.reject(new Error('no turn is needed')) }
    const work = { check: () => 'same', isDone: () => true, write: () => 'written' }
    expect(await checkThenWrite(store, turn, work)).toEqual({ checked: 'same', written: null })
  })
})
