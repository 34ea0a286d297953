import { describe, expect, it } from 'vitest'
import { effectScope, nextTick, ref } from 'vue'
import { useListPosition } from './use-list-position.ts'

function followedIn(first: string[], at: number) {
  const list = ref({ of: 'a', ids: first })
  const followed = effectScope().run(() => useListPosition(() => list.value, at))!
  const becomes = async (...ids: string[]): Promise<[number, string | null]> => {
    list.value = { of: list.value.of, ids }
    await nextTick()
    return [followed.at.value, followed.gone.value]
  }
  return { list, followed, becomes }
}

describe('a position in a list', () => {
  it('moves with its item', async () => {
    const { becomes } = followedIn(['x', 'y'], 1)
    expect(await becomes('new', 'x', 'y')).toEqual([2, null])
    expect(await becomes('y', 'x')).toEqual([0, null])
  })

  it('stays while a name is typed, even if it passes through the name of another item', async () => {
    const { becomes } = followedIn(['ab', 'abc'], 1)
    expect(await becomes('ab', 'ab')).toEqual([1, null])
    expect(await becomes('ab', 'a')).toEqual([1, null])
    expect(await becomes('ab', '')).toEqual([1, null])
  })

  it('selects nothing after its item is removed, not the neighbour, and is found again', async () => {
    const { followed, becomes } = followedIn(['x', 'y', 'z'], 1)
    expect(await becomes('x', 'z')).toEqual([2, 'y'])
    expect(await becomes('x', 'z', 'other')).toEqual([3, 'y'])
    expect(followed.there.value).toBe(false)
    expect(await becomes('x', 'y', 'z')).toEqual([1, null])
    expect(followed.there.value).toBe(true)
  })

  it('ignores intermediate states of a list', async () => {
    const { list, becomes } = followedIn(['new', 'x', 'y'], 2)
    list.value = { of: 'a', ids: ['x', 'y'] }
    expect(await becomes('x', 'other')).toEqual([2, 'y'])
  })

  it('does not carry over to another list, and stays empty if it was empty', async () => {
    const { list, followed, becomes } = followedIn([], 1)
    expect(followed.there.value).toBe(false)
    expect(await becomes('x', 'y')).toEqual([1, null])
    list.value = { of: 'b', ids: ['y'] }
    await nextTick()
    expect([followed.at.value, followed.gone.value, followed.there.value]).toEqual([1, null, false])
  })
})
