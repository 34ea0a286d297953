import { expect, it } from 'vitest'
import { ManualTimer, settle } from '../../test/support/manual-timer.ts'
import type { NewDelivery } from '../ports/deliveries.ts'
import { receiptBatches } from './receipt-batches.ts'

interface Transaction {
  lists: string[][]
  isComplete: boolean
}

/** Transactions that the test commits. A delivery whose id begins with `again` repeats another one. */
function held() {
  const timer = new ManualTimer()
  const transactions: Transaction[] = []
  const commits: PromiseWithResolvers<void>[] = []
  const { write } = receiptBatches(async (lists) => {
    const transaction: Transaction = { lists: [], isComplete: false }
    transactions.push(transaction)
    const commit = Promise.withResolvers<void>()
    commits.push(commit)
    const failed = commit.promise.catch((error: unknown) => error)
    for await (const list of lists) {
      transaction.lists.push(list.map(({ delivery }) => delivery.id))
      if (isFailed) throw await failed
    }
    transaction.isComplete = true
    await commit.promise
    return transaction.lists.flat().map((id) => (id.startsWith('again') ? 'first' : null))
  }, timer)
  let isFailed = false
  return {
    timer,
    transactions,
    write: (...ids: string[]) => ids.map((id) => write({ delivery: { id } } as NewDelivery)),
    commit: async () => {
      commits.shift()!.resolve()
      await settle()
    },
    fail: (error: Error) => {
      isFailed = true
      commits.shift()!.reject(error)
    },
  }
}

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${prefix}${at}`)

it('writes what arrives in one turn of the event loop in one transaction, and returns to each its result', async () => {
  const { transactions, write, commit } = held()
  const all = write('a', 'again', 'b')
  await settle()
  expect(transactions).toEqual([{ lists: [['a', 'again', 'b']], isComplete: true }])
  await commit()
  expect(await Promise.all(all)).toEqual([null, 'first', null])
})

it('begins with a list of 8 while others are still verified', async () => {
  const { transactions, write } = held()
  void write(...names('a', 7))
  await Promise.resolve()
  expect(transactions).toEqual([])
  void write(...names('b', 1))
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  expect(transactions[0]!.lists).toEqual([[...names('a', 7), 'b0']])
})

it('stays open until as many have arrived as before', async () => {
  const { timer, transactions, write, commit } = held()
  void write('a', 'b')
  await settle()
  // Waits for the transaction, as a third sender.
  void write('c')
  await timer.advance(8)
  await commit()
  expect(transactions[1]).toEqual({ lists: [['c']], isComplete: false })
  void write('d')
  await settle()
  expect(transactions[1]).toEqual({ lists: [['c'], ['d']], isComplete: false })
  void write('e')
  await settle()
  expect(transactions[1]).toEqual({ lists: [['c'], ['d'], ['e']], isComplete: true })
})

it.each([
  [8, 4],
  [100, 10],
])('after a transaction of %i ms, stays open for %i ms at most', async (took, waits) => {
  const { timer, transactions, write, commit } = held()
  void write('a', 'b')
  await settle()
  await timer.advance(took)
  await commit()
  void write('c')
  await settle()
  await timer.advance(waits - 1)
  expect(transactions[1]!.isComplete).toBe(false)
  await timer.advance(1)
  expect(transactions[1]!.isComplete).toBe(true)
})

it('never lets a sender wait that is alone', async () => {
  const { timer, transactions, write, commit } = held()
  for (const id of ['a', 'b', 'c']) {
    void write(id)
    await settle()
    expect(transactions.at(-1)).toEqual({ lists: [[id]], isComplete: true })
    await timer.advance(8)
    await commit()
  }
})

it('takes 256 in one transaction', async () => {
  const { timer, transactions, write, commit } = held()
  void write('first')
  await settle()
  void write(...names('a', 300))
  for (let transaction = 0; transaction < 2; transaction += 1) {
    await timer.advance(8)
    await commit()
  }
  expect(transactions.map(({ lists }) => lists.flat())).toEqual([
    ['first'],
    names('a', 300).slice(0, 256),
    names('a', 300).slice(256),
  ])
})

it('lets all of a transaction that fails fail, and none that arrives after it', async () => {
  const { transactions, write, fail } = held()
  const all = write('a', 'b')
  await settle()
  fail(new Error('The disk is full.'))
  for (const each of all) await expect(each).rejects.toThrow('The disk is full.')
  void write('c')
  await settle()
  expect(transactions[1]!.lists).toEqual([['c']])
})

it.each([
  ['while it still waits', 0],
  ['after its wait', 20],
])('gives a transaction that failed while it waited for others no more: %s', async (_name, later) => {
  const timer = new ManualTimer()
  const seen: string[][] = []
  const fail = Promise.withResolvers<never>()
  let transactions = 0
  const { write } = receiptBatches(async (lists) => {
    const list: string[] = []
    seen.push(list)
    transactions += 1
    if (transactions === 1) {
      for await (const each of lists) list.push(...each.map(({ delivery }) => delivery.id))
      await timer.wait(8)
      return list.map(() => null)
    }
    const taken = (async () => {
      for await (const each of lists) list.push(...each.map(({ delivery }) => delivery.id))
      return list.map(() => null)
    })()
    return transactions === 2 ? Promise.race([taken, fail.promise]) : taken
  }, timer)
  const delivery = (id: string): NewDelivery => ({ delivery: { id } }) as NewDelivery
  const first = [write(delivery('a')), write(delivery('b'))]
  await settle()
  await timer.advance(8)
  await Promise.all(first)
  const failed = write(delivery('c'))
  await settle()
  fail.reject(new Error('The disk is full.'))
  await expect(failed).rejects.toThrow('The disk is full.')
  await timer.advance(later)
  const next = write(delivery('d'))
  await settle()
  await timer.advance(20)
  expect(seen).toEqual([['a', 'b'], ['c'], ['d']])
  expect(await next).toBe(null)
})

it('lets those that wait fail if a transaction cannot begin', async () => {
  let isFull = true
  const { write } = receiptBatches(async (lists) => {
    if (isFull) throw new Error('The disk is full.')
    const known: null[] = []
    for await (const list of lists) known.push(...list.map(() => null))
    return known
  }, new ManualTimer())
  const one = { delivery: { id: 'a' } } as NewDelivery
  await expect(write(one)).rejects.toThrow('The disk is full.')
  isFull = false
  expect(await write(one)).toBe(null)
})
