// Entries stand under their set, and every change stands somewhere, once.
import { describe, expect, it } from 'vitest'
import type { ChangeView } from '../../api/wire.ts'
import { groupsOf } from './groups.ts'

const change = (type: ChangeView['type'], key: string, set?: string): ChangeView => ({
  kind: 'changed',
  id: `${type}/${key}`,
  type,
  key,
  set,
  words: { title: key, before: '', after: '', takesEffect: '' },
  values: [],
  before: null,
  after: null,
  findings: [],
  requires: '',
  lacks: null,
})

describe('groupsOf', () => {
  it('keeps entries, definitions, flags and the rest apart', () => {
    const changes = [
      change('config_entry', 'vat_rate.de', 'vat_rate'),
      change('config_set', 'vat_rate'),
      change('config_entry', 'vat_rate.fi'),
      change('feature_flag', 'split_payment'),
      change('object', 'invoice'),
    ]
    const groups = groupsOf(changes, (type) => `${type}s`)
    expect(groups.map(({ title, what, changes: some }) => [title, what, some.length])).toEqual([
      ['vat_rate', 'entries', 2],
      ['vat_rate', 'definition', 1],
      ['split_payment', 'flag', 1],
      ['objects', '', 1],
    ])
  })
})
