import { describe, expect, it, vi } from 'vitest'
import type { CommandOutcome, SaveCommand } from '../records/index.ts'
import { groupedSaves } from './grouped-saves.ts'

/** @param most commands that one group runs */
function savesOf(most = 64) {
  const ran: string[][] = []
  const gate = Promise.withResolvers<void>()
  const { save, refuse } = groupedSaves(
    { run: async (work) => work(), isWanted: false },
    async (commands) => {
      if (ran.length === 0) await gate.promise
      const group = commands.slice(0, most)
      ran.push(group.map(({ correlationId }) => correlationId))
      return group.map(() => reply)
    },
    () => undefined,
  )
  const send = (user: string, id: string): Promise<unknown> =>
    save({ user, correlationId: id } as SaveCommand)
  return { ran, open: gate.resolve, send, refuse }
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
    const { save } = groupedSaves(
      { run: async (work) => work(), isWanted: false },
      async (commands) => {
        begun.push(commands.map(({ correlationId }) => correlationId))
        gates.push(Promise.withResolvers())
        await gates.at(-1)!.promise
        return commands.map(() => reply)
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

  it('are refused when the server stops, and those that are running are answered', async () => {
    const { ran, open, send, refuse } = savesOf(1)
    const all = ['a1', 'b1', 'a2'].map((id) => send(id[0]!, id))
    await Promise.resolve()
    refuse(new Error('stopping'))
    open()
    const outcomes = await Promise.allSettled([...all, send('c', 'c1')])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
    expect(ran).toEqual([['a1']])
  })

  it('with many items begin while the one before is being written, whenever they arrive', async () => {
    const gates: PromiseWithResolvers<void>[] = []
    const begun: string[] = []
    const { save } = groupedSaves(
      { run: async (work) => work(), isWanted: false },
      async ([command]) => {
        begun.push(command!.correlationId)
        gates.push(Promise.withResolvers())
        await gates.at(-1)!.promise
        return [reply]
      },
      () => undefined,
    )
    const turn = (): Promise<void> => new Promise((next) => setImmediate(next))
    const all: Promise<unknown>[] = []
    const send = async (id: string): Promise<void> => {
      all.push(save(largeCommand(id)))
      await turn()
    }
    await send('1')
    await send('2')
    await send('3')
    expect(begun).toEqual(['1', '2'])
    gates[0]!.resolve()
    await turn()
    expect(begun).toEqual(['1', '2', '3'])
    for (const gate of gates) gate.resolve()
    await Promise.all(all)
  })

  it.each([
    {
      what: 'let other writers that wait have a turn after half a second',
      ...{ isWanted: true, ms: 300, expected: [['1', '2'], ['3', '4'], ['5']] },
    },
    {
      what: 'let other writers that wait have a turn after four',
      ...{ isWanted: true, ms: 1, expected: [['1', '2', '3', '4'], ['5']] },
    },
    {
      what: 'continue if no other writer waits',
      ...{ isWanted: false, ms: 300, expected: [['1', '2', '3', '4', '5']] },
    },
  ])('with many items $what', async ({ isWanted, ms, expected }) => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const turns: string[][] = []
      const { save } = groupedSaves(
        {
          run: async (work) => {
            turns.push([])
            return work()
          },
          isWanted,
        },
        async ([command]) => {
          turns.at(-1)!.push(command!.correlationId)
          vi.advanceTimersByTime(ms)
          return [reply]
        },
        () => undefined,
      )
      await Promise.all(['1', '2', '3', '4', '5'].map((id) => save(largeCommand(id))))
      expect(turns).toEqual(expected)
    } finally {
      vi.useRealTimers()
    }
  })
})

const reply: CommandOutcome = {
  ...{ ok: true, position: 0, hasJob: false, hasEvents: false },
  reply: { items: [] } as never,
}

const largeCommand = (correlationId: string): SaveCommand =>
  ({ user: 'a', correlationId, items: Array.from({ length: 200 }) }) as unknown as SaveCommand
