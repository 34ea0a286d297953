import { describe, expect, it } from 'vitest'
import type { OrgReader, OrgStore, PrincipalAuditEvent } from '../ports/org-store.ts'
import { createPrincipalFeed } from './principal-feed.ts'

/** An audit with this many rows, of which the given ones are of users. */
function auditOf(users: PrincipalAuditEvent[]) {
  const audit = { rows: 5, users, readAfter: [] as number[] }
  const reader = {
    lastAuditId: () => audit.rows,
    principalAuditAfter: (after: number) => {
      audit.readAfter.push(after)
      return audit.users.filter(({ id }) => id > after)
    },
  } as unknown as OrgReader
  const store = { read: (work: (reader: OrgReader) => unknown) => work(reader) } as Pick<OrgStore, 'read'>
  return { audit, store }
}

describe('changes of users and groups', () => {
  it('name each user or group only once', () => {
    const { audit, store } = auditOf([])
    const news = createPrincipalFeed(store)
    audit.users.push(
      { id: 6, component: 'user/mara', actor: 'a' },
      { id: 7, component: 'user/mara', actor: 'b' },
    )
    audit.rows = 7
    expect(news()).toEqual([{ id: 'user/mara', actor: 'b' }])
    expect(news()).toEqual([])
  })

  it('read each audit row once, of any kind', () => {
    const { audit, store } = auditOf([])
    const news = createPrincipalFeed(store)
    news()
    audit.rows = 10_005
    news()
    news()
    audit.rows = 10_006
    news()
    expect(audit.readAfter).toEqual([5, 10_005])
  })
})
