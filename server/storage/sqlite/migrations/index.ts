// Every schema that the org's file ever had, in order. A migration is never edited once released; a new one is
// appended.
import { first } from './001-first.ts'
import { changeRequests } from './002-change-requests.ts'
import { signInsAndRemotes } from './003-sign-ins-and-remotes.ts'
import { searchNames } from './004-search-names.ts'
import { workspaces } from './005-workspaces.ts'
import { trust } from './006-trust.ts'
import { identities } from './008-identities.ts'
import { operators } from './009-operators.ts'
import { people } from './010-people.ts'
import { discardedDrafts } from './011-discarded-drafts.ts'
import { writers } from './012-writers.ts'
import { remoteListings } from './013-remote-listings.ts'
import { past } from './014-past.ts'
import { requestDigests } from './015-request-digests.ts'
import { draftStates } from './016-draft-states.ts'
import { position } from './017-position.ts'
import { objectFields } from './018-object-fields.ts'
import { records } from './019-records.ts'
import { usedAssertions } from './020-used-assertions.ts'
import { requestRestores } from './021-request-restores.ts'
import { recordsPosition } from './022-records-position.ts'
import { tokenKeys } from './023-token-keys.ts'
import { descriptions } from './024-descriptions.ts'
import type { Db } from '../db.ts'
import { draftAuthors } from './007-draft-authors.ts'

/** A string of SQL, or a function for a step that needs code. */
export type Migration = string | ((db: Db) => void)

/** The n-th takes a file from schema n-1 to schema n (PRAGMA user_version). */
export const migrations: readonly Migration[] = [
  first,
  changeRequests,
  signInsAndRemotes,
  searchNames,
  workspaces,
  trust,
  draftAuthors,
  identities,
  operators,
  people,
  discardedDrafts,
  writers,
  remoteListings,
  past,
  requestDigests,
  draftStates,
  position,
  objectFields,
  records,
  usedAssertions,
  requestRestores,
  recordsPosition,
  tokenKeys,
  descriptions,
]
