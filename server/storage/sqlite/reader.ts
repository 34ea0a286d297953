// Everything that an engine can read, over one connection.
import { draftTable } from '../../ports/draft-table.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { auditReader } from './audit.ts'
import { changeRequestReader } from './change-requests.ts'
import { componentReader } from './components.ts'
import type { Db } from './db.ts'
import { descriptionReader } from './descriptions.ts'
import { sqliteDraftTable } from './draft-table.ts'
import type { ParsedCache } from './generation-view.ts'
import { generationReader } from './generations.ts'
import { identityReader } from './identities.ts'
import { fieldIdsAt, fieldRows, objectVersions } from './object-fields.ts'
import { invitationReader } from './invitations.ts'
import { propertyReader } from './org-properties.ts'
import { peopleReader } from './people.ts'
import { recordFacts } from './records/facts.ts'
import { remoteReader } from './remotes.ts'
import { resultReader } from './results.ts'
import { searchReader } from './search.ts'
import { setReader } from './sets.ts'
import { settingReader } from './settings.ts'
import { signInReader } from './sign-ins.ts'
import { tokenReader } from './tokens.ts'
import { workspaceReader } from './workspaces.ts'

/** Made once per connection, so that accessing a group creates nothing. */
export function sqliteReader(db: Db, cache: ParsedCache): OrgReader {
  const descriptions = descriptionReader(db)
  return {
    properties: propertyReader(db),
    settings: settingReader(db),
    generations: generationReader(db, cache, descriptions),
    descriptions,
    components: componentReader(db),
    sets: setReader(db),
    identities: {
      ...identityReader(db),
      fields: (generation, object) => fieldIdsAt(db, generation, object),
      fieldsOf: (generation, object) => fieldRows(db, object, generation),
      objectVersions: (object) => objectVersions(db, object),
    },
    search: searchReader(db),
    audit: auditReader(db),
    requests: changeRequestReader(db),
    results: resultReader(db),
    people: peopleReader(db),
    tokens: tokenReader(db),
    signIns: signInReader(db),
    invitations: invitationReader(db),
    workspaces: workspaceReader(db),
    remotes: remoteReader(db),
    recordFacts: recordFacts(db),
    [draftTable]: sqliteDraftTable(db),
  }
}
