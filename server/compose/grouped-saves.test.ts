import { describe, expect, it } from 'vitest'
import type { CommandOutcome, SaveCommand } from '../records/index.ts'
import { groupedSaves } from './grouped-saves.ts'

/** @param most commands that one group runs */
function savesOf(most = 64) {
  const ran: string[][] = []
  const gate = Promise.withResolvers<void>()
  const save = groupedSaves(
    { run: async (work) => work() },
    async (commands) => {
      if (ran.length === 0) await gate.promise
      const group = commands.slice(0, most)
      ran.push(group.map(({ correlationId }) => correlationId))
      return group.map((): CommandOutcome => ({
        ...{ ok: true, position: 0, hasJob: false },
        reply: { items: [] } as never,
      }))
    },
    () => undefined,
  )
  const send = (user: string, id: string): Promise<unknown> =>
    save({ user, correlationId: id } as SaveCommand)
  return { ran, open: gate.resolve, send }
}

describe('saves that wait', () => {
  it('run in the order of each user, with a turn for each user', async () => {
    const { ran, open, send } = savesOf(2)
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((id) => send(id[0]!, id))
    open()
    await Promise.all(all)
    expect(ran).toEqual([['a1'], ['b1', 'c1'], ['a2', 'b2'], ['a3', 'a4']])
  })

  it('are at most 256 of a user', async () => {
    const { open, send } = savesOf()
    const all = Array.from({ length: 256 }, (_, index) => send('a', `a${index}`))
    await expect(send('a', 'more')).rejects.toMatchObject({ code: 'limit.busy', retryAfter: 1 })
    const other = send('b', 'b1')
    open()
    await Promise.all([...all, other])
    await expect(send('a', 'later')).resolves.toBeDefined()
  })

  it('with many items run alone, and the next one does not wait for the answer', async () => {
    const gates: PromiseWithResolvers<void>[] = []
    const begun: string[][] = []
    const save = groupedSaves(
      { run: async (work) => work() },
      async (commands) => {
        begun.push(commands.map(({ correlationId }) => correlationId))
        gates.push(Promise.withResolvers())
        await gates.at(-1)!.promise
        return commands.map((): CommandOutcome => ({
          ...{ ok: true, position: 0, hasJob: false },
          reply: { items: [] } as never,
        }))
      },
      () => undefined,
    )
    const send = (user: string, id: string, items: number): Promise<unknown> =>
      save({ user, correlationId: id, items: Array.from({ length: items }) } as unknown as SaveCommand)
    const all = [
      send('a', 'a1', 1),
      send('a', 'a2', 8),
      send('b', 'b1', 200),
      send('c', 'c1', 9),
      send('c', 'c2', 1),
    ]
    const turn = (): Promise<void> => new Promise((next) => setImmediate(next))
    await turn()
    expect(begun).toEqual([['a1']])
    gates[0]!.resolve()
    await turn()
    expect(begun.slice(1)).toEqual([['b1'], ['c1']])
    gates[1]!.resolve()
    await turn()
    expect(begun.slice(3)).toEqual([['a2']])
    for (const gate of gates) gate.resolve()
    await turn()
    expect(begun.slice(4)).toEqual([['c2']])
    for (const gate of gates) gate.resolve()
    await Promise.all(all)
  })
})
