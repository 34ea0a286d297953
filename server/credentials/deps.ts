// What the engine of credentials is given.
import type { Actor, AuditFact } from '../access/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { OrgStore, OrgTransactor } from '../ports/org-store.ts'
import type { OrgWrite } from '../ports/org-write.ts'
import type { VaultStore } from '../ports/vault.ts'
import type { Vault } from './vault.ts'

export interface CredentialDeps {
  store: Pick<OrgStore, 'read'>
  write: OrgWrite
  clock: Clock
  ids: IdGenerator
  vault: Vault
  rows: VaultStore
  /** @param at now if omitted */
  audit(transactor: OrgTransactor, by: Actor, fact: AuditFact, at?: string): void
}
