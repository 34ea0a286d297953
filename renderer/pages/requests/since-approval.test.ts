// An edit after an approval is shown change by change to the approver.
import { describe, expect, it } from 'vitest'
import type { RequestDetail } from '../../api/wire.ts'
import { rememberApproval, sinceApproval } from './since-approval.ts'

const change = (id: string, after: string) => ({
  ...{ kind: 'changed', id, before: null, after: null },
  words: { title: id, before: '', after, takesEffect: '' },
})
const request = (digest: string, changes: object[], approvals: object[], rationale = 'Why') =>
  ({ id: 'r', digest, rationale, changes, approvals }) as unknown as RequestDetail
const store = () => {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, text: string) => void items.set(name, text),
  }
}
const approval = { approver: 'ines', digest: 'one', counts: true, voidedAt: null }
const voided = { ...approval, counts: false, voidedAt: '2026-01-01T00:00:00Z' }

describe('sinceApproval', () => {
  it('names what was added, removed and changed', () => {
    const storage = store()
    rememberApproval(request('one', [change('a', '1'), change('b', '1')], [approval]), 'ines', storage)
    const edited = request('two', [change('a', '2'), change('c', '1')], [voided], 'Why not')
    expect(sinceApproval(edited, 'ines', storage)).toEqual({
      rationale: true,
      changes: [
        { id: 'a', title: 'a', what: 'changed' },
        { id: 'c', title: 'c', what: 'added' },
        { id: 'b', title: 'b', what: 'removed' },
      ],
    })
  })

  it('is null while the approval is valid, for others, and if nothing is remembered', () => {
    const storage = store()
    const standing = request('one', [change('a', '1')], [approval])
    rememberApproval(standing, 'ines', storage)
    expect(sinceApproval(standing, 'ines', storage)).toBeNull()
    const edited = request('two', [], [voided])
    expect(sinceApproval(edited, 'mara', storage)).toBeNull()
    expect(sinceApproval(edited, 'ines', store())).toBeNull()
  })

  it('does not store what another user approved', () => {
    const kept = store()
    rememberApproval(request('one', [change('a', '1')], [approval]), 'mara', kept)
    expect(kept.getItem('almanac.approved.r')).toBeNull()
  })
})
