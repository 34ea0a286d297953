// What a user can do with the records of an object, with each of its fields, and with each record
// (docs/reference/access.md).
import {
  evaluateForRecord,
  objectPrograms,
  type RecordContext,
  type RecordView,
} from '#kernel/records/index.ts'
import type { ComponentView } from '#kernel/components/view.ts'
import type { EffectiveAccess, ObjectRights } from './effective-access.ts'
import { grantsCalls, grantsChannel } from './grants.ts'
import { readableView } from './readable-view.ts'
import { requireVisibleValues, visibilityIn } from './visibility.ts'

export type ObjectRight = 'create' | 'read' | 'update' | 'delete'
export type RowAccess = 'none' | 'read' | 'read_write'

/** Why a user can read or change a record. */
export interface RowAccessReason {
  kind: 'platform_root' | 'modify_all' | 'view_all' | 'default' | 'owner' | 'sharing_rule'
  access: 'read' | 'read_write'
  /** The sharing rule, and the permission set that it names. */
  rule?: string
  permissionSet?: string
}

export interface RecordAccess {
  readonly user: string
  /** Whether the user holds a permission set. */
  holds(permissionSet: string): boolean
  /** Whether an operation exists for the user: an invocable automation, or `<service>.<operation>`. */
  mayCall(operation: string): boolean
  /** Whether a declared channel is granted; of its events, the rights on records decide too. */
  mayUseChannel(channel: string, right: 'read' | 'publish'): boolean
  /** Whether the object exists for the user: any right on it. */
  canSeeObject(object: string): boolean
  /** What the object permission allows; for `read`, `update` and `delete`, the record must allow it too. */
  may(object: string, right: ObjectRight): boolean
  canReadField(object: string, field: string): boolean
  canEditField(object: string, field: string): boolean
  /** The view that expressions of the user are compiled over. */
  readableView(): ComponentView
  /**
   * Refuses the values of a set or flag that the user cannot read.
   * @throws AlmanacError `config.unknown_set`, `access.denied`
   */
  requireValues(set: string): void
  /** The access to every record of an object apart from the object permission. */
  accessToAll(object: string): RowAccess
  /** The access to one record, apart from the object permission. */
  rowAccess(record: RecordView): RowAccess
  /** Every reason for the access to one record, the strongest access first; empty without access. */
  reasons(record: RecordView): RowAccessReason[]
}

const order = { none: 0, read: 1, read_write: 2 } as const

/** @param context the generation and scope path in which sharing rules are evaluated */
export function recordAccess(access: EffectiveAccess, context: RecordContext): RecordAccess {
  const { platformRoot } = access
  const rights = (object: string): ObjectRights | undefined =>
    Object.hasOwn(access.objects, object) ? access.objects[object] : undefined
  const field = (object: string, key: string, right: 'read' | 'edit'): boolean => {
    const name = `${object}.${key}`
    return platformRoot || (Object.hasOwn(access.fields, name) && access.fields[name]![right])
  }
  const reasons = (record: RecordView): RowAccessReason[] =>
    [...rowReasons(access, context, record, rights(record.object))].sort(
      (a, b) => order[b.access] - order[a.access],
    )
  const { view } = context.snapshot
  const visibility = lazy(() => visibilityIn(access, view))
  const found: RecordAccess = {
    user: access.user,
    holds: (permissionSet) => access.permissionSets.includes(permissionSet),
    mayCall: (operation) => platformRoot || grantsCalls(view, operation, access.permissionSets),
    mayUseChannel: (channel, right) =>
      platformRoot || grantsChannel(view, channel, right, access.permissionSets),
    canSeeObject: (object) => platformRoot || Object.values(rights(object) ?? {}).includes(true),
    may: (object, right) => platformRoot || rights(object)?.[right] === true,
    // What can be edited can be read, as with the grants on a set.
    canReadField: (object, key) => field(object, key, 'read') || field(object, key, 'edit'),
    canEditField: (object, key) => field(object, key, 'edit'),
    accessToAll: (object) => accessToAll(access, context, object),
    rowAccess: (record) => {
      let found: RowAccess = 'none'
      for (const { access: given } of rowReasons(access, context, record, rights(record.object))) {
        if (given === 'read_write') return given
        found = given
      }
      return found
    },
    reasons,
    readableView: lazy(() => (platformRoot ? view : readableView(view, visibility(), found))),
    requireValues: (set) => requireVisibleValues(visibility(), set, access.user),
  }
  return found
}

/** Computed once, when it is first needed: most requests have no expression. */
function lazy<T>(compute: () => T): () => T {
  let known: { value: T } | null = null
  return () => (known ??= { value: compute() }).value
}

function accessToAll(
  { platformRoot, objects }: EffectiveAccess,
  { snapshot }: RecordContext,
  object: string,
): RowAccess {
  const rights = Object.hasOwn(objects, object) ? objects[object] : undefined
  const shared = objectPrograms(snapshot.view, object)?.body.sharing.default ?? 'private'
  if (platformRoot || rights?.modifyAll === true || shared === 'read_write') return 'read_write'
  return rights?.viewAll === true || shared === 'read' ? 'read' : 'none'
}

/**
 * Cheap reasons first; a sharing rule is evaluated only if its result is asked for.
 * @throws AlmanacError if a rule cannot be evaluated for the record: an error never gives access
 */
function* rowReasons(
  { user, permissionSets, platformRoot }: EffectiveAccess,
  context: RecordContext,
  record: RecordView,
  rights: ObjectRights | undefined,
): Iterable<RowAccessReason> {
  if (platformRoot) yield { kind: 'platform_root', access: 'read_write' }
  if (rights?.modifyAll === true) yield { kind: 'modify_all', access: 'read_write' }
  const programs = objectPrograms(context.snapshot.view, record.object)
  if (programs === null) return
  const { sharing } = programs.body
  const owner = sharing.ownerField === undefined ? undefined : programs.field(sharing.ownerField)
  if (sharing.default === 'read_write') yield { kind: 'default', access: 'read_write' }
  if (owner !== undefined && record.value(owner.key) === user) yield { kind: 'owner', access: 'read_write' }
  if (rights?.viewAll === true) yield { kind: 'view_all', access: 'read' }
  if (sharing.default === 'read') yield { kind: 'default', access: 'read' }
  for (const rule of sharing.rules) {
    if (!permissionSets.includes(rule.permissionSet)) continue
    if (evaluateForRecord(context, programs.sharing(rule), record) !== true) continue
    yield { kind: 'sharing_rule', access: rule.access, rule: rule.key, permissionSet: rule.permissionSet }
  }
}
