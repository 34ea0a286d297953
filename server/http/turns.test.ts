import { expect, it } from 'vitest'
import type { OrgStore } from '../ports/org-store.ts'
import { createTurns } from './turns.ts'

it('is shared by the requests that arrived together, and never kept from a response for later ones', () => {
  let position = 1
  let end: () => void = () => undefined
  const reader = { generations: { active: () => 1 } }
  const store = { read: (work: (of: unknown) => unknown) => work(reader), position: () => position }
  const clock = { now: () => '2026-01-01T00:00:00.000Z', today: () => '2026-01-01' }
  const turns = createTurns(store as unknown as OrgStore, clock, (ended) => (end = ended))
  const first = turns.open()
  expect([turns.open(), turns.current()]).toEqual([first, first])
  end()
  // A response looks at the state; another process writes before the next request arrives.
  expect(turns.current().position).toBe(1)
  position = 2
  expect(turns.open().position).toBe(2)
})
