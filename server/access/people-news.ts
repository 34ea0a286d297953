// Which users and groups changed since the last look, whichever process changed them.
import type { OrgStore } from '../ports/org-store.ts'

export interface PeopleNews {
  /** `user/mara`, `group/finance` */
  id: string
  actor: string
}

/** Each call returns what happened since the call before it, each user or group once. */
export function peopleNewsOf(store: Pick<OrgStore, 'read'>): () => PeopleNews[] {
  let last = store.read((reader) => reader.lastAuditId())
  return () => {
    const facts = store.read((reader) => reader.principalAuditAfter(last))
    last = facts.at(-1)?.id ?? last
    return [...new Map(facts.map(({ component, actor }) => [component, { id: component, actor }])).values()]
  }
}
