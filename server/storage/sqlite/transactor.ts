// Everything of a reader, and the writes; it ends with its transaction.
import { draftTable } from '../../ports/draft-table.ts'
import type { GenerationReader, GenerationTransactor } from '../../ports/generations.ts'
import type { OrgReader, OrgTransactor } from '../../ports/org-store.ts'
import { auditTransactor } from './audit.ts'
import { AuditChain } from './audit-chain.ts'
import { changeRequestTransactor } from './change-requests.ts'
import type { Db } from './db.ts'
import { descriptionTransactor } from './descriptions.ts'
import { writableDraftTable } from './draft-table.ts'
import { invitationTransactor } from './invitations.ts'
import { propertyTransactor } from './org-properties.ts'
import { peopleTransactor } from './people.ts'
import { purgeBefore } from './purge.ts'
import { lockedRecordFacts } from './records/facts.ts'
import { remoteTransactor } from './remotes.ts'
import { resultTransactor } from './results.ts'
import { setTransactor } from './sets.ts'
import { settingTransactor } from './settings.ts'
import { signInTransactor } from './sign-ins.ts'
import { tokenTransactor } from './tokens.ts'
import { workspaceTransactor } from './workspaces.ts'
import { writeGeneration } from './write-generation.ts'

export interface OpenTransactor {
  transactor: OrgTransactor
  /** Writes what is pending before the commit. */
  finish: () => void
  /** Makes every later use of the transactor or of one of its groups throw. */
  end: () => void
}

export function sqliteTransactor(db: Db, reader: OrgReader): OpenTransactor {
  const chain = new AuditChain(db)
  const revokes: (() => void)[] = []
  const revocable = <T extends object>(group: T): T => {
    const { proxy, revoke } = Proxy.revocable(group, {})
    revokes.push(revoke)
    return proxy
  }
  const groups: OrgTransactor = {
    properties: revocable(propertyTransactor(db, reader.properties)),
    settings: revocable(settingTransactor(db, reader.settings)),
    generations: revocable(generationTransactor(db, chain, reader.generations)),
    components: revocable(reader.components),
    descriptions: revocable(descriptionTransactor(db, reader.descriptions)),
    sets: revocable(setTransactor(db, reader.sets)),
    identities: revocable(reader.identities),
    search: revocable(reader.search),
    audit: revocable(auditTransactor(chain, reader.audit)),
    requests: revocable(changeRequestTransactor(db, reader.requests)),
    results: revocable(resultTransactor(db, reader.results)),
    people: revocable(peopleTransactor(db, reader.people)),
    tokens: revocable(tokenTransactor(db, reader.tokens)),
    signIns: revocable(signInTransactor(db, reader.signIns)),
    invitations: revocable(invitationTransactor(db, reader.invitations)),
    workspaces: revocable(workspaceTransactor(db, reader.workspaces)),
    remotes: revocable(remoteTransactor(db, reader.remotes)),
    recordFacts: revocable(lockedRecordFacts(db, reader.recordFacts)),
    [draftTable]: revocable(writableDraftTable(db, reader[draftTable])),
  }
  return {
    transactor: revocable(groups),
    finish: () => chain.finish(),
    end: () => {
      for (const revoke of revokes) revoke()
    },
  }
}

function generationTransactor(db: Db, chain: AuditChain, reader: GenerationReader): GenerationTransactor {
  return {
    ...reader,
    write: (write) => writeGeneration(db, chain, write),
    purgeBefore: (generation) => purgeBefore(db, generation),
  }
}
