// The channels of a generation: those that are declared, and one for each object that captures changes without one.
import type { ComponentOf } from '../components/body-types.ts'
import { objectKeyOf } from '../components/object/object-named.ts'
import type { ChannelId, ObjectId } from '../records/record-state.ts'
import type { ComponentView } from '../components/view.ts'

export type { ChannelId } from '../records/record-state.ts'

/** A field of a platform event. */
export type EventField = NonNullable<ComponentOf<'event_channel'>['body']['schema']>[number]

export interface EventChannel {
  /** `changes.<object>` if it is not declared. */
  name: string
  isDeclared: boolean
  partitions: number
  retentionDays: number
  /** Of an event, as JSON. */
  maxBytes: number
  source: PlatformEvents | ObjectChanges
}

export interface PlatformEvents {
  kind: 'platform'
  schema: readonly EventField[]
  /** Events with the same value of this field keep their order. */
  partitionKey: string | null
}

export interface ObjectChanges {
  kind: 'changes'
  object: string
  /** The fields that it carries; null for all. */
  fields: ReadonlySet<string> | null
  /** Whether changes are captured now. */
  isCaptured: boolean
}

const prefix = 'changes.'

/** The identity of the channel that an object has without a declared one. */
export const ownChannelId = (object: ObjectId): ChannelId => `changes ${object}` as ChannelId

/** Its name. */
export const changesOf = (object: string): string => prefix + object

const defaults = { partitions: 4, retentionDays: 7, maxBytes: 1_048_576 } as const

/** The object, by key or alias, whose own channel has this name; undefined for the key of a component. */
export function objectOfChanges(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}

/**
 * A channel by its name; an alias of an object names its channel too. Undefined if it does not exist: also for `changes.<object>`
 * if a declared channel takes its place.
 */
export function findChannel(view: ComponentView, name: string): EventChannel | undefined {
  const declared = view.get('event_channel', name)
  if (declared !== undefined) return declaredChannel(view, declared)
  const named = objectOfChanges(name)
  const object = named === undefined ? undefined : objectKeyOf(view, named)
  return object === undefined ? undefined : implicitChannel(view, object)
}

export function listChannels(view: ComponentView): EventChannel[] {
  const declared = [...view.list('event_channel')].map((each) => declaredChannel(view, each))
  const implicit = [...view.list('object')].flatMap(({ key }) => implicitChannel(view, key) ?? [])
  return [...declared, ...implicit]
}

/** The channels that carry the changes of an object, if it captures them. */
export function capturingChannels(view: ComponentView, object: string): EventChannel[] {
  const implicit = implicitChannel(view, object)
  if (implicit !== undefined) return [implicit]
  return declaredOver(view, object)
    .map((each) => declaredChannel(view, each))
    .filter(({ source }) => source.kind === 'changes' && source.isCaptured)
}

/** The declared channels that carry the changes of an object, by key. */
export function declaredOver(view: ComponentView, object: string): ComponentOf<'event_channel'>[] {
  return [...view.list('event_channel')].filter(({ body }) => body.object === object)
}

function declaredChannel(
  view: ComponentView,
  { key: name, body }: ComponentOf<'event_channel'>,
): EventChannel {
  const { partitions, retentionDays, maxBytes, object, schema = [], partitionKey = null } = body
  const source =
    object === undefined
      ? ({ kind: 'platform', schema, partitionKey } as const)
      : changesSource(view, object, body.fields ?? 'all')
  return { name, isDeclared: true, partitions, retentionDays, maxBytes, source }
}

function implicitChannel(view: ComponentView, object: string): EventChannel | undefined {
  const source = changesSource(view, object, 'all')
  if (!source.isCaptured || declaredOver(view, object).length > 0) return undefined
  return { name: changesOf(object), isDeclared: false, ...defaults, source }
}

function changesSource(
  view: ComponentView,
  object: string,
  fields: 'all' | readonly string[],
): ObjectChanges {
  const body = view.get('object', object)?.body
  const capture = body?.storage === 'local' ? body.capture : undefined
  const captured = capture === undefined || capture.fields === 'all' ? null : new Set(capture.fields)
  const narrowed = fields === 'all' ? captured : new Set(fields.filter((key) => captured?.has(key) ?? true))
  return { kind: 'changes', object, fields: narrowed, isCaptured: capture?.enabled === true }
}
