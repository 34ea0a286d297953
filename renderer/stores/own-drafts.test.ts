import { describe, expect, it } from 'vitest'
import type { ComponentId } from '../api/wire.ts'
import { updateTicks, untickedDrafts, type Ticks } from './own-drafts.ts'

const mine: ComponentId = 'config_entry/fee.a'
const theirs: ComponentId = 'permission_set/authors'
const others = new Map<ComponentId, string>([[theirs, 'mara']])
const fresh: Ticks = { off: new Set(), tickedOthers: new Set() }

describe('the selection of a change list', () => {
  it('own drafts are selected at first, those of others are not', () => {
    expect(untickedDrafts(fresh, others)).toEqual(new Set([theirs]))
  })

  it('a draft of another user is included once it is selected, and omitted once it is unselected', () => {
    const both = updateTicks(fresh, { ids: [mine, theirs], on: true }, others)
    expect(untickedDrafts(both, others)).toEqual(new Set())
    expect(untickedDrafts(updateTicks(both, { ids: [mine, theirs], on: false }, others), others)).toEqual(
      new Set([mine, theirs]),
    )
  })
})
