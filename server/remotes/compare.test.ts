import { describe, expect, it } from 'vitest'
import type { Digest } from '#kernel/change/index.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { CompareState } from '#wire/remotes.ts'
import { compare, isPushedByDefault, hasDrifted, hasLocalChange } from './compare.ts'
import type { Listing } from './listing.ts'

const id = 'value_set/a'
const digestOf = (letter: string): Digest => `jcs1:sha256:${letter.repeat(64)}` as Digest
const holding = (letter: string, at = id): Map<ComponentId, Digest> =>
  new Map(letter === '-' ? [] : [[at as ComponentId, digestOf(letter)]])
const listing = (letter: string): Listing => ({
  generation: 3,
  at: '2026-01-01T00:00:00.000Z',
  digests: holding(letter),
})

const compared = (local: string, seen: string, listed: string) =>
  compare({ digests: holding(local), hidden: new Set() }, listing(seen), listing(listed))

describe('three ways', () => {
  // Here, last seen there, there now: `-` means absent. Then state, drift, moved, and whether it is pushed by default.
  const cases: [here: string, seen: string, there: string, CompareState | null, boolean, boolean, boolean][] =
    [
      ['a', 'a', 'a', 'same', false, false, false],
      ['b', 'a', 'b', 'same', true, true, false],
      ['a', '-', 'a', 'same', true, true, false],
      ['a', '-', '-', 'only_local', false, true, true],
      ['a', 'a', '-', 'only_local', true, false, false],
      ['b', 'a', '-', 'only_local', true, true, false],
      ['-', '-', 'a', 'only_remote', true, false, false],
      ['-', 'a', 'a', 'only_remote', false, true, false],
      ['-', 'a', 'b', 'only_remote', true, true, false],
      ['b', 'a', 'a', 'changed_local', false, true, true],
      ['a', 'a', 'b', 'changed_remote', true, false, false],
      ['b', 'a', 'c', 'both', true, true, false],
      ['b', '-', 'c', 'both', true, true, false],
      ['-', 'a', '-', null, false, false, false],
    ]
  it.each(cases)(
    'here %s, last seen %s, there %s: %s (drift %s, moved %s, pushed by default %s)',
    async (here, seen, there, state, drift, moved, goes) => {
      const { rows, counts, drift: drifted } = await compared(here, seen, there)
      const [row] = rows
      expect(row?.state ?? null).toBe(state)
      if (row === undefined) return
      expect([hasDrifted(row), hasLocalChange(row), isPushedByDefault(row)]).toEqual([drift, moved, goes])
      expect(counts[row.state]).toBe(1)
      expect(drifted).toBe(drift ? 1 : 0)
    },
  )

  it('omit what is hidden here, so that no user removes it there without seeing it', async () => {
    const { rows } = await compare(
      { digests: new Map(), hidden: new Set<ComponentId>(['value_set/a']) },
      listing('a'),
      listing('a'),
    )
    expect(rows).toEqual([])
  })

  it('are ordered by type, then by key', async () => {
    const here = new Map<ComponentId, Digest>(
      ['value_set/b', 'app/z', 'value_set/a', 'config_set/q'].map((each) => [
        each as ComponentId,
        digestOf('a'),
      ]),
    )
    const there: Listing = { ...listing('-'), digests: holding('a', 'value_set/aa') }
    const { rows } = await compare({ digests: here, hidden: new Set() }, listing('-'), there)
    expect(rows.map((row) => row.id)).toEqual([
      'config_set/q',
      'value_set/a',
      'value_set/aa',
      'value_set/b',
      'app/z',
    ])
  })
})
