// The parts of change requests; server/compose/ connects them.
import type { Org } from '../pipeline/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'

export interface RequestDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  org: Pick<Org, 'plan' | 'apply' | 'submit' | 'sha256'>
  clock: Clock
  ids: IdGenerator
}
