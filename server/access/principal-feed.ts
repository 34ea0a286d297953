// Which users and groups changed since the last look, by any process.
import type { OrgStore } from '../ports/org-store.ts'
import type { PrincipalAuditEvent } from '../ports/audit.ts'

export interface PrincipalFeedEvent {
  /** `user/mara`, `group/finance` */
  id: string
  actor: string
}

/** Each call returns what changed since the previous call, each user or group once. */
export function createPrincipalFeed(store: Pick<OrgStore, 'read'>): () => PrincipalFeedEvent[] {
  const newFacts = createPrincipalFactFeed(store)
  return () => {
    const byId = new Map(newFacts().map(({ component, actor }) => [component, { id: component, actor }]))
    return [...byId.values()]
  }
}

/**
 * Each call returns the audit rows of users and groups since the previous call. Costs only the rows added since then.
 */
export function createPrincipalFactFeed(store: Pick<OrgStore, 'read'>): () => PrincipalAuditEvent[] {
  let last = store.read((reader) => reader.audit.lastId())
  return () =>
    store.read((reader) => {
      const newest = reader.audit.lastId()
      if (newest === last) return []
      const facts = reader.audit.principalEventsAfter(last)
      // Rows of components also count as read; there are many more of them.
      last = newest
      return facts
    })
}
