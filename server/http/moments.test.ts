import { describe, expect, it } from 'vitest'
import { createMoments } from './moments.ts'

function momentsOver(refresh: () => number | Promise<number>) {
  let reads = 0
  const moments = createMoments(
    {
      refresh: () => {
        reads += 1
        return refresh()
      },
    },
    { inMoment: (work) => work() },
  )
  return { moments, reads: () => reads }
}

describe('a moment', () => {
  it('reads the position once, and the next moment reads it again', () => {
    let position = 1
    const { moments, reads } = momentsOver(() => position)
    const seen: unknown[] = []
    const work = (): void => void seen.push(moments.refresh(), moments.refresh())
    moments.run(work)
    position = 2
    moments.run(work)
    expect([seen, reads()]).toEqual([[1, 1, 2, 2], 2])
  })

  it('ends with its work, even if that fails', () => {
    let position = 1
    const { moments } = momentsOver(() => position)
    const fail = (): void => {
      void moments.refresh()
      throw new Error('failed')
    }
    expect(() => moments.run(fail)).toThrow('failed')
    position = 2
    expect(moments.refresh()).toBe(2)
  })

  it('does not keep a position that is still to come', async () => {
    const { moments, reads } = momentsOver(() => Promise.resolve(3))
    const seen: (number | Promise<number>)[] = []
    moments.run(() => void seen.push(moments.refresh(), moments.refresh()))
    expect([await Promise.all(seen), reads()]).toEqual([[3, 3], 2])
  })
})
