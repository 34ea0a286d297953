// Lists the flags that the caller can see, by expiry, the earliest first.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { splitId } from '#kernel/components/component.ts'
import type { FlagList, FlagRow } from '#wire/flags.ts'
import { daysLeft, flagState, type FlagState } from '#kernel/components/feature-flag/lifetime.ts'
import { hasPermission } from '../../access/index.ts'
import { usagesOf, visibleDraftBriefs } from '../../pipeline/index.ts'
import type { OrgReader } from '../../ports/org-store.ts'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { SignedInRequest } from '../route.ts'

export interface FlagQuery {
  state?: FlagState | undefined
  q?: string | undefined
  owner?: string | undefined
  limit: number
  cursor?: string | undefined
}

type CallerContext = Pick<
  SignedInRequest<unknown, unknown, unknown>,
  'services' | 'access' | 'visibility' | 'viewer' | 'snapshot' | 'shown'
>
type Flag = ComponentOf<'feature_flag'>

export function flagList(caller: CallerContext, query: FlagQuery): FlagList {
  const { services, shown } = caller
  const today = services.clock.today()
  const all = [...shown.list('feature_flag')].sort(bySoonestEnd)
  const states: Record<FlagState, number> = { active: 0, expiring: 0, frozen: 0 }
  for (const { body } of all) states[flagState(body.expiresOn, today)] += 1
  const matchingFlags = all.filter((flag) => matches(flag, query, today))
  const question = JSON.stringify([query.state, query.q, query.owner])
  const after = decodeCursor(question, query.cursor)
  const start = after === undefined ? 0 : matchingFlags.findIndex(({ key }) => key === after) + 1
  const page = matchingFlags.slice(start, start + query.limit)
  const more = matchingFlags.length > start + page.length
  return services.store.read((reader) => {
    const drafts = draftsOfSets(reader, caller)
    return {
      flags: page.map((flag) => rowOf(flag, caller, { reader, today, drafts })),
      total: matchingFlags.length,
      states,
      today,
      nextCursor: more ? encodeCursor(question, page.at(-1)!.key) : null,
    }
  })
}

/** Counts the drafts of each set or flag and its entries, by key. */
function draftsOfSets(reader: OrgReader, { viewer }: CallerContext): Map<string, number> {
  const drafts = new Map<string, number>()
  for (const { id } of visibleDraftBriefs(reader, viewer)) {
    const { type, key } = splitId(id)
    if (type !== 'feature_flag' && type !== 'config_entry') continue
    const flag = key.split('.')[0]!
    drafts.set(flag, (drafts.get(flag) ?? 0) + 1)
  }
  return drafts
}

function bySoonestEnd(a: Flag, b: Flag): number {
  if (a.body.expiresOn !== b.body.expiresOn) return a.body.expiresOn < b.body.expiresOn ? -1 : 1
  return a.key < b.key ? -1 : 1
}

function matches({ key, label, body }: Flag, { state, q, owner }: FlagQuery, today: string): boolean {
  if (state !== undefined && flagState(body.expiresOn, today) !== state) return false
  if (owner !== undefined && owner !== ownerText(body.owner)) return false
  return q === undefined || `${key} ${label}`.toLowerCase().includes(q.toLowerCase())
}

function ownerText(owner: Flag['body']['owner']): string {
  return 'user' in owner ? `user:${owner.user}` : `group:${owner.group}`
}

function rowOf(
  { key, label, body }: Flag,
  { access, visibility, snapshot, shown }: CallerContext,
  { reader, today, drafts }: { reader: OrgReader; today: string; drafts: ReadonlyMap<string, number> },
): FlagRow {
  const seen = visibility.canSeeValues(key)
  const entries = seen ? [...shown.entriesOf(key)].sort((a, b) => (a.key < b.key ? -1 : 1)) : []
  const edit = Object.keys(body.edit).sort()
  return {
    key,
    label,
    owner: ownerOf(reader, body.owner),
    expiresOn: body.expiresOn,
    daysLeft: daysLeft(body.expiresOn, today),
    state: flagState(body.expiresOn, today),
    rationale: body.rationale ?? '',
    scopes: [...body.scopes],
    default: seen ? body.default : null,
    entries: entries.map((entry) => ({
      entry: entry.key,
      scope: entry.body.scope,
      value: entry.body.values['value'] === true,
      priority: entry.body.priority ?? null,
    })),
    usages: usagesOf(reader, snapshot.generation, `feature_flag/${key}`, shown).length,
    edit,
    mayEdit:
      access.platformRoot ||
      (hasPermission(access, 'config.author') && access.permissionSets.some((held) => edit.includes(held))),
    drafts: drafts.get(key) ?? 0,
  }
}

function ownerOf(reader: OrgReader, owner: Flag['body']['owner']): FlagRow['owner'] {
  if ('user' in owner) {
    const user = reader.people.user(owner.user)
    return { kind: 'user', key: owner.user, name: user?.name ?? owner.user, live: user?.active === true }
  }
  const group = reader.people.group(owner.group)
  return { kind: 'group', key: owner.group, name: group?.name ?? owner.group, live: group !== undefined }
}
