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
})
