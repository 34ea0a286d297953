// Changes of objects that take away an object, a field, or a name of it, which a registered client, or a webhook
// endpoint, has used within its window.
// Only the change that takes a name away is judged: uses of names that an earlier one removed stay in the records.
import type { Change } from '#kernel/change/index.ts'
import type { ObjectBody } from '#kernel/components/object/body.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { FieldId, ObjectId } from '#kernel/records/index.ts'
import { endpointOfUser, objectItself, type FieldUse } from '../ports/field-use.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { fieldIdsAfter } from './record-losses.ts'

type Reader = Pick<OrgReader, 'identities' | 'recordFacts'>

/** As for a client that declares no window. */
const endpointWindowDays = 30

const dayMs = 24 * 60 * 60 * 1000

export interface UseCheck {
  base: number
  /** The active generation, with the clients and their windows. */
  baseView: ComponentView
  changes: readonly Change[]
  /** ISO 8601 instant. */
  now: string
  /** The generation from which a rollback or a revert brings fields back. */
  restoresFrom: number | null
  /** Removed objects whose use the author confirms. */
  confirmed: ReadonlySet<ComponentId>
}

export function fieldsInUse(reader: Reader, check: UseCheck): Finding[] {
  const { base, baseView, changes, now, confirmed } = check
  const isRecent = ({ client, at }: FieldUse): boolean => {
    const days = windowDays(baseView, client)
    return days !== undefined && Date.parse(at) > Date.parse(now) - days * dayMs
  }
  return changes.flatMap((change): Finding[] => {
    if (!change.id.startsWith('object/') || change.kind === 'added') return []
    const object = reader.identities.at(base, change.kind === 'renamed' ? change.from : change.id)
    if (object === undefined) return []
    const recent = reader.recordFacts.uses(object as unknown as ObjectId).filter(isRecent)
    if (recent.length === 0) return []
    const before = namesBefore(reader, base, change)
    const after = change.kind === 'removed' ? noNames : namesAfter(reader, check, change)
    const lost = recent.filter(
      ({ field, name }) => before.get(field)?.has(name) === true && after.get(field)?.has(name) !== true,
    )
    const isConfirmed = change.kind === 'removed' ? confirmed.has(change.id) : change.hints.breaking === true
    // An object that is removed takes its fields with it.
    const isGone = change.kind === 'removed' && lost.some(({ field }) => field === objectItself)
    const shown = isGone ? lost.filter(({ field }) => field === objectItself) : lost
    return [...Map.groupBy(shown, ({ field, name }) => placeOf(change, field, name))].map(([place, uses]) =>
      inUse(change, place, uses, isConfirmed),
    )
  })
}

/** Undefined for a client or an endpoint that was removed. */
function windowDays(view: ComponentView, client: string): number | undefined {
  const endpoint = endpointOfUser(client)
  if (endpoint === null) return view.get('integration_client', client)?.body.deprecationWindowDays
  return view.get('webhook_endpoint', endpoint) === undefined ? undefined : endpointWindowDays
}

/** The key and the aliases of a local object, and of each of its fields. */
type FieldNames = ReadonlyMap<FieldId, ReadonlySet<string>>

const noNames: FieldNames = new Map()

function namesBefore(reader: Reader, base: number, change: Exclude<Change, { kind: 'added' }>): FieldNames {
  const id = change.kind === 'renamed' ? change.from : change.id
  const ids = reader.identities.fields(base, id.slice('object/'.length))
  return namesOf(id, change.before.body as ObjectBody, ids)
}

function namesAfter(
  reader: Reader,
  { base, changes, restoresFrom }: UseCheck,
  change: Exclude<Change, { kind: 'added' | 'removed' }>,
): FieldNames {
  const after = change.after.body as ObjectBody
  if (after.storage !== 'local') return noNames
  return namesOf(change.id, after, fieldIdsAfter(reader, base, changes, change, restoresFrom))
}

function namesOf(id: ComponentId, body: ObjectBody, ids: ReadonlyMap<string, FieldId>): FieldNames {
  if (body.storage !== 'local') return noNames
  const own = new Set([keyOf(id), ...body.aliases])
  const fields = body.fields.map(({ key, aliases }) => [ids.get(key)!, new Set([key, ...aliases])] as const)
  return new Map([[objectItself, own], ...fields])
}

const keyOf = (id: ComponentId): string => id.slice('object/'.length)

function placeOf({ id }: Change, field: FieldId, name: string): string {
  if (field !== objectItself) return `${keyOf(id)}.${name}`
  return name === keyOf(id) ? name : `${name}, a name of ${keyOf(id)},`
}

/** How many clients a finding names. */
const maxNamed = 5

function inUse(
  { id, kind }: Change,
  place: string,
  uses: readonly FieldUse[],
  isConfirmed: boolean,
): Finding {
  const clients = [...uses].sort((a, b) => (a.at < b.at ? 1 : -1))
  const named = clients
    .slice(0, maxNamed)
    .map(({ client, at }) => `${client} on ${at.slice(0, 16).replace('T', ' ')}`)
  const more = clients.length > maxNamed ? ` and ${clients.length - maxNamed} more` : ''
  return {
    severity: isConfirmed ? 'warning' : 'error',
    code: 'deploy.field_in_use',
    component: id,
    path: kind === 'removed' ? '' : uses[0]!.field === objectItself ? '/body/aliases' : '/body/fields',
    message: `${place} was last used by ${named.join(', ')}${more} (UTC).`,
    related: [],
  }
}
