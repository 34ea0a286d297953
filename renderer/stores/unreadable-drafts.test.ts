import { describe, expect, it } from 'vitest'
import type { ComponentId, DraftRow, Finding } from '../api/wire.ts'
import { findUnreadableDrafts } from './unreadable-drafts.ts'

const draft = (id: string, text: string | null) => ({ id, text }) as DraftRow
const fault = (component: string, code = 'draft.json') => ({ component, code, severity: 'error' }) as Finding
const read = (...ids: ComponentId[]) => new Set(ids)
const sound = (key: string) =>
  JSON.stringify({ type: 'value_set', key, label: key, body: { values: [{ key: 'a', label: 'A' }] } })

describe('unreadDrafts', () => {
  it('lists what is not JSON and what is not a component, with the reason', () => {
    const drafts = [draft('value_set/aaa', '{ half'), draft('value_set/bbb', '{}')]
    const found = findUnreadableDrafts(drafts, read(), [fault('value_set/aaa'), fault('value_set/ccc')])
    expect(found.map(({ id, findings }) => [id, findings.length])).toEqual([
      ['value_set/aaa', 1],
      ['value_set/bbb', 0],
    ])
  })

  it('lists a text with a duplicate property, though it parses', () => {
    const findings = [fault('value_set/aaa', 'body.duplicate_property')]
    expect(findUnreadableDrafts([draft('value_set/aaa', sound('aaa'))], read(), findings)).toHaveLength(1)
  })

  it('skips what makes a change, removes, or equals the active component', () => {
    const drafts = [
      draft('value_set/aaa', '{ half'),
      draft('value_set/bbb', null),
      draft('value_set/ccc', sound('ccc')),
    ]
    expect(
      findUnreadableDrafts(drafts, read('value_set/aaa'), [fault('value_set/ccc', 'key.taken')]),
    ).toEqual([])
  })
})
