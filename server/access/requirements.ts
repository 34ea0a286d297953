// What a change requires of its author (docs/reference/access.md; docs/decisions.md).
import type { Change } from '#kernel/change/index.ts'
import { isSameContent } from '#kernel/change/value-diff.ts'
import type { Component, ComponentOf } from '#kernel/components/body-types.ts'
import type { ComponentType } from '#kernel/components/component.ts'
import type { SystemPermission } from '#kernel/components/permission-set/system-permissions.ts'
import { roomOf } from '#kernel/components/registry.ts'
import { differsBesideGrants, grantsOf } from './grants.ts'
import { explainDestination, type CredentialChanges } from './secret-destinations.ts'

export type Requirement =
  | { kind: 'system'; permission: SystemPermission; because: string }
  /** The edit grant on one set or flag, through a permission set of the user. */
  | { kind: 'edit_grant'; set: string; because: string }

/** The facts about the whole change list that are needed to check one change. */
export interface SetChanges {
  /** Sets and flags that the list adds. */
  added: ReadonlyMap<string, 'config_set' | 'feature_flag'>
  /** Old key → new key of sets and flags that the list renames. */
  renamed: ReadonlyMap<string, string>
  credentials: CredentialChanges
}

export function setChangesOf(changes: Iterable<Change>): SetChanges {
  const added = new Map<string, 'config_set' | 'feature_flag'>()
  const renamed = new Map<string, string>()
  const credentials = { added: new Set<string>(), renamed: new Map<string, string>() }
  for (const change of changes) {
    if (change.kind !== 'added' && change.kind !== 'renamed') continue
    const { type, key } = change.after
    if (type === 'external_credential') {
      if (change.kind === 'added') credentials.added.add(key)
      else credentials.renamed.set(change.before.key, key)
    }
    if (type !== 'config_set' && type !== 'feature_flag') continue
    if (change.kind === 'added') added.set(key, type)
    else renamed.set(change.before.key, key)
  }
  return { added, renamed, credentials }
}

/**
 * Returns everything that one change requires; `actor`, because a client that runs as its own author gives nobody
 * additional rights.
 */
export function requirementsOf(change: Change, list: SetChanges, actor: string): Requirement[] {
  const before = 'before' in change ? (change.before as Component) : undefined
  const after = 'after' in change ? (change.after as Component) : undefined
  const type = (after ?? before)!.type
  if (type === 'config_entry') return entryRequirements(before, after, list)
  return [
    ...authorRequirements(type, before, after),
    ...(type === 'feature_flag' ? flagRequirements(before, after) : []),
    ...grantRequirements(before, after),
    ...identityRequirements(before, after, actor),
    ...secretRequirements(before, after, list),
  ]
}

const what: Partial<Record<SystemPermission, string>> = {
  'metadata.author': 'defines or changes the shape of the org',
  'config.author': 'edits configuration entries and flags',
  'access.manage': 'changes permissions',
}

function system(permission: SystemPermission, because = what[permission]!): Requirement {
  return { kind: 'system', permission, because }
}

/** A change to grants alone requires only access.manage. */
function authorRequirements(
  type: ComponentType,
  before: Component | undefined,
  after: Component | undefined,
): Requirement[] {
  const onlyGrants = before !== undefined && after !== undefined && !differsBesideGrants(before, after)
  return onlyGrants && grantsDiffer(before, after) ? [] : [system(roomOf(type).author)]
}

/** An existing flag is edited or retired through its own edit grant. */
function flagRequirements(before: Component | undefined, after: Component | undefined): Requirement[] {
  if (before === undefined || (after !== undefined && !differsBesideGrants(before, after))) return []
  return [{ kind: 'edit_grant', set: before.key, because: `edits the flag ${before.key}` }]
}

/** Grants that are removed together with their component give nobody additional rights. */
function grantRequirements(before: Component | undefined, after: Component | undefined): Requirement[] {
  if (after === undefined || !grantsDiffer(before, after)) return []
  return [system('access.manage', `changes a grant on ${after.type}/${after.key}`)]
}

function grantsDiffer(before: Component | undefined, after: Component | undefined): boolean {
  return grantsOf(before).sort().join('\n') !== grantsOf(after).sort().join('\n')
}

/** A user who can make a client or a webhook run as another user could act with that user's rights. */
function identityRequirements(
  before: Component | undefined,
  after: Component | undefined,
  actor: string,
): Requirement[] {
  const runAs = runAsOf(after)
  if (runAs === null || runAs === actor) return []
  if (runAs !== runAsOf(before))
    return [system('access.manage', `lets ${after!.type}/${after!.key} run as ${runAs}`)]
  if (isSameContent(proofOf(before), proofOf(after))) return []
  return [
    system(
      'access.manage',
      `changes the credentials of ${after!.type}/${after!.key}, which runs as ${runAs}`,
    ),
  ]
}

/** What a caller presents to act as the run-as user: a user who can plant a key there gets that user's rights. */
function proofOf(component: Component | undefined): unknown {
  if (component?.type === 'integration_client') {
    const { rateLimit: _rate, deprecationWindowDays: _window, ...proof } = component.body
    return proof
  }
  return component?.type === 'webhook_endpoint' ? component.body.verification : null
}

function runAsOf(component: Component | undefined): string | null {
  return component?.type === 'integration_client' || component?.type === 'webhook_endpoint'
    ? component.body.runAs
    : null
}

function secretRequirements(
  before: Component | undefined,
  after: Component | undefined,
  { credentials }: SetChanges,
): Requirement[] {
  const reason = explainDestination(before, after, credentials)
  return reason === null ? [] : [system('integration.manage_credentials', reason)]
}

function entryRequirements(
  before: Component | undefined,
  after: Component | undefined,
  list: SetChanges,
): Requirement[] {
  const [old, now] = [before as Entry | undefined, after as Entry | undefined]
  if (followsRename(old, now, list))
    return [system('metadata.author', 'renames a set together with its entries')]
  const [was, is] = [old?.body.set, now?.body.set]
  const touched = was === is || was === undefined ? [is!] : is === undefined ? [was] : [was, is]
  return touched.flatMap((set) => setRequirements(set, list))
}

/** What changes to a set's entries require. */
function setRequirements(set: string, { added }: SetChanges): Requirement[] {
  const kind = added.get(set)
  // The user who adds a set gives it its first values: a set that does not exist yet has no grants.
  if (kind === 'config_set')
    return [system('config.author'), system('metadata.author', `gives the new set ${set} its first values`)]
  if (kind === 'feature_flag') return [system('config.author')]
  return [system('config.author'), { kind: 'edit_grant', set, because: `edits entries of ${set}` }]
}

type Entry = ComponentOf<'config_entry'>

/** Whether an entry moved only because its set was renamed, with the same values, scope and dates. */
function followsRename(before: Entry | undefined, after: Entry | undefined, list: SetChanges): boolean {
  if (before === undefined || after === undefined) return false
  if (list.renamed.get(before.body.set) !== after.body.set) return false
  const slug = before.key.slice(before.body.set.length)
  const moved: Entry = {
    ...before,
    key: after.body.set + slug,
    body: { ...before.body, set: after.body.set },
  }
  return !differsBesideGrants(moved, after)
}
