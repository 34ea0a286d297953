// Entries are listed under their set, and every change is listed exactly once.
import { describe, expect, it } from 'vitest'
import type { ComponentId } from '../../api/wire.ts'
import { groupsOf } from './groups.ts'

const change = (id: ComponentId) => ({ id, kind: 'changed' as const })

describe('groupsOf', () => {
  it('keeps entries, definitions, flags and the rest apart', () => {
    const changes = [
      change('config_entry/vat_rate.de'),
      change('config_set/vat_rate'),
      change('config_entry/vat_rate.fi'),
      change('feature_flag/split_payment'),
      change('object/invoice'),
    ]
    const groups = groupsOf(changes, (type) => `${type}s`)
    expect(groups.map(({ title, what, changes: some }) => [title, what, some.map(({ at }) => at)])).toEqual([
      ['vat_rate', 'entries', [0, 2]],
      ['vat_rate', 'definition', [1]],
      ['split_payment', 'flag', [3]],
      ['objects', '', [4]],
    ])
  })
})
