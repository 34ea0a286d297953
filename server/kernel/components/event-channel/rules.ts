// Rules for event channels.
import { didYouMean } from '../../errors/suggest.ts'
import type { ComponentOf } from '../body-types.ts'
import { idOf } from '../component.ts'
import type { Reference, Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { edge, grantEdges } from '../edges.ts'
import { fieldShapeFindings } from '../field-shape.ts'
import { membersExist } from '../members.ts'
import { errorFinding, warningFinding } from '../report.ts'

type ChannelRule = Rule<'event_channel'>

export function channelReferences({ body }: ComponentOf<'event_channel'>): Reference[] {
  const captured = Array.isArray(body.fields) ? body.fields : []
  return [
    ...edge('object', body.object, ['object']),
    ...captured.flatMap((field, at) => edge('object', body.object, ['fields', at], field)),
    ...(body.schema ?? []).flatMap((field, at) => [
      ...edge('value_set', field.valueSet, ['schema', at, 'valueSet']),
      ...edge('object', field.references, ['schema', at, 'references']),
    ]),
    ...grantEdges(body),
  ]
}

const schemaOrObject: ChannelRule = (channel) => {
  const { schema, object, fields } = channel.body
  if (schema !== undefined && object !== undefined) {
    const message = `${channel.key} has a schema and an object. A channel carries either platform events (schema) or the changes of an object. Remove one of them.`
    return [errorFinding(channel, '/body', 'channel.source', message)]
  }
  if (schema === undefined && object === undefined) {
    const message = `${channel.key} has neither a schema nor an object. Add "schema" for platform events, or "object" for the changes of an object.`
    return [errorFinding(channel, '/body', 'channel.source', message)]
  }
  if (schema !== undefined && fields !== undefined) {
    const message = `"fields" selects the captured fields of an object, but ${channel.key} has a schema. Remove "fields".`
    return [errorFinding(channel, '/body/fields', 'channel.source', message)]
  }
  return []
}

const partitionKey: ChannelRule = (channel) => {
  const { partitionKey: key, schema, object } = channel.body
  if (key === undefined) return []
  if (object !== undefined) {
    const message = `Changes are partitioned by the id of the record. Remove "partitionKey".`
    return [errorFinding(channel, '/body/partitionKey', 'channel.partition_key', message)]
  }
  const known = (schema ?? []).map((field) => field.key)
  if (known.includes(key)) return []
  const message = `The schema of ${channel.key} has no field "${key}".${didYouMean(key, known)}`
  return [errorFinding(channel, '/body/partitionKey', 'channel.partition_key', message)]
}

const publishFits: ChannelRule = (channel) => {
  const { object, publish } = channel.body
  if (object === undefined || Object.keys(publish).length === 0) return []
  const message = `${channel.key} carries the changes of ${object}, which saves publish. Remove "publish".`
  return [errorFinding(channel, '/body/publish', 'channel.source', message)]
}

const schemaFields: ChannelRule = (channel) => {
  const schema = channel.body.schema ?? []
  return [
    ...duplicateItemFindings(channel, ['body', 'schema'], schema, 'key'),
    ...schema.flatMap((field, at) =>
      fieldShapeFindings(channel, ['body', 'schema', at], field, 'object.field_shape'),
    ),
  ]
}

const captureIsOn: ChannelRule = (channel, { view }) => {
  const object = channel.body.object === undefined ? undefined : view.get('object', channel.body.object)
  if (object === undefined) return []
  if (object.body.storage === 'external') {
    const message = `${object.key} is virtual: its rows change elsewhere, so changes cannot be captured. Choose a local object.`
    return [
      errorFinding(channel, '/body/object', 'object.virtual', message, {
        related: [{ component: idOf(object), path: '/body/storage' }],
      }),
    ]
  }
  if (object.body.capture.enabled) return []
  const message = `${object.key} does not capture changes, so the channel stays empty. Enable change capture on the object.`
  return [
    warningFinding(channel, '/body/object', 'channel.capture_off', message, {
      related: [{ component: idOf(object), path: '/body/capture/enabled' }],
    }),
  ]
}

export const eventChannelRules: readonly ChannelRule[] = [
  schemaOrObject,
  partitionKey,
  publishFits,
  schemaFields,
  captureIsOn,
  membersExist(channelReferences),
]
