import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { receivedLists, sendLists, type NextList } from './sent-lists.ts'

/** Both sides, with messages between them that take a turn of the event loop. */
function joined<R>(run: (lists: AsyncIterable<readonly number[]>) => Promise<R>) {
  const worker = receivedLists(run)
  const sent: NextList<readonly number[]>[] = []
  return {
    sent,
    send: (lists: AsyncIterable<readonly number[]>) =>
      sendLists<readonly number[], R>(
        lists,
        async (call) => {
          await turn()
          return worker.begin(call, () => undefined)
        },
        async (next) => {
          sent.push(next)
          await turn()
          await worker.next(next)
        },
      ),
  }
}

async function* listsOf(...lists: number[][]) {
  for (const list of lists) {
    yield list
    await turn()
  }
}

it('brings all lists to the call, in their order, and its result back', async () => {
  const { send } = joined(async (lists) => {
    const all: number[] = []
    for await (const list of lists) all.push(...list)
    return all
  })
  expect(await Promise.all([send(listsOf([1, 2], [3])), send(listsOf([4], [], [5, 6]))])).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
})

it('fails with the error of the call, and sends no more', async () => {
  const { sent, send } = joined(async (lists) => {
    for await (const list of lists) throw new Error(`It failed at ${list.join()}.`)
  })
  const more = async function* () {
    yield [1]
    for (let at = 0; at < 5; at += 1) await turn()
    yield [2]
    yield [3]
  }
  await expect(send(more())).rejects.toThrow('It failed at 1.')
  for (let at = 0; at < 10; at += 1) await turn()
  expect(sent.map(({ list }) => list)).toEqual([[1]])
})
