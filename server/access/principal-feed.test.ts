import { describe, expect, it } from 'vitest'
import { MemoryOrgStore } from '../../test/support/memory-org-store.ts'
import type { OrgReader, OrgStore } from '../ports/org-store.ts'
import { createPrincipalFeed } from './principal-feed.ts'

/** An audit with five rows, and the rows after which events of users were read. */
function auditOfFive() {
  const memory = new MemoryOrgStore()
  const append = (actor: string, component = 'org', count = 1): void =>
    memory.write((transactor) => {
      for (let n = 0; n < count; n += 1)
        transactor.audit.append({
          ...{ at: '2026-01-01T00:00:00.000Z', actor, component, kind: 'user.changed', correlationId: 'c' },
          ...{ generation: null, before: null, after: null, rationale: '' },
        })
    })
  append('a', 'org', 5)
  const readAfter: number[] = []
  const watched = (reader: OrgReader): OrgReader => ({
    ...reader,
    audit: {
      ...reader.audit,
      principalEventsAfter: (after) => {
        readAfter.push(after)
        return reader.audit.principalEventsAfter(after)
      },
    },
  })
  const store: Pick<OrgStore, 'read'> = { read: (work) => memory.read((reader) => work(watched(reader))) }
  return { append, readAfter, store }
}

describe('changes to users and groups', () => {
  it('name each user or group only once', () => {
    const { append, store } = auditOfFive()
    const poll = createPrincipalFeed(store)
    append('a', 'user/mara')
    append('b', 'user/mara')
    expect(poll()).toEqual([{ id: 'user/mara', actor: 'b' }])
    expect(poll()).toEqual([])
  })

  it('read each audit row once, of any kind', () => {
    const { append, readAfter, store } = auditOfFive()
    const poll = createPrincipalFeed(store)
    poll()
    append('a', 'org', 10_000)
    poll()
    poll()
    append('a')
    poll()
    expect(readAfter).toEqual([5, 10_005])
  })
})
