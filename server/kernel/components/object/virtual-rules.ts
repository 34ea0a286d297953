// Rules for virtual objects, and for properties that only they have (docs/reference/component-types.md).
import type { Finding } from '../../errors/finding.ts'
import type { Rule } from '../define.ts'
import { pointer } from '../pointer.ts'
import { errorFinding } from '../report.ts'
import type { ObjectField } from './body.ts'
import { mapsRemoteType, remoteTypesOf } from './remote-type.ts'

type ObjectRule = Rule<'object'>

/** What cannot be promised about rows that belong to the source. */
const virtualLimits: ObjectRule = (object) => {
  if (object.body.storage === 'local') return []
  return object.body.fields.flatMap((field, at) => {
    const findings: Finding[] = []
    const refuse = (property: string, message: string) =>
      findings.push(
        errorFinding(
          object,
          pointer('body', 'fields', at, property),
          'object.virtual',
          `${object.key} is virtual: ${message}`,
        ),
      )
    if (field.rollup !== undefined)
      refuse('rollup', 'a roll-up cannot use remote rows. Import them into a local object first.')
    if (field.formula?.stored)
      refuse(
        'formula',
        `the formula of ${field.key} cannot be stored, because its rows are not stored here. Set "stored" to false.`,
      )
    if (field.unique)
      refuse(
        'unique',
        `${field.key} cannot be unique, because the rows belong to the source. Remove "unique".`,
      )
    if (field.default !== undefined)
      refuse(
        'default',
        `${field.key} cannot have a default, because the source adds its rows. Remove "default".`,
      )
    return findings
  })
}

const remoteProperties = ['remoteField', 'remoteType', 'readOnly'] as const

/** A field that is stored or computed here maps no property of a source. */
const mappingIsRemote: ObjectRule = (object) =>
  object.body.fields.flatMap((field, at) => {
    const reason = notMapped(field, object.body.storage === 'external')
    if (reason === null) return []
    return remoteProperties
      .filter((property) => field[property] !== undefined && field[property] !== false)
      .map((property) =>
        errorFinding(
          object,
          pointer('body', 'fields', at, property),
          'object.virtual',
          `${field.key} maps a remote field, but ${reason(object.key, property)}`,
        ),
      )
  })

function notMapped(
  field: ObjectField,
  isVirtual: boolean,
): ((object: string, property: string) => string) | null {
  if (!isVirtual)
    return (object, property) =>
      `${object} stores its rows here. Remove "${property}", or make the storage external.`
  if (field.formula === undefined) return null
  return (_, property) => `its formula is computed here. Remove "${property}" or the formula.`
}

const remoteTypeFits: ObjectRule = (object) => {
  if (object.body.storage === 'local') return []
  return object.body.fields.flatMap(({ key, type, remoteType }, at) => {
    if (remoteType === undefined || mapsRemoteType(type, remoteType)) return []
    const types = remoteTypesOf[type].join(', ')
    const more = type === 'enum' ? ', or the qualified name of an enumeration, such as Sales.Status' : ''
    const message = `${key} is of type ${type}, which cannot map the remote type "${remoteType}". Use ${types}${more}.`
    const path = pointer('body', 'fields', at, 'remoteType')
    return [errorFinding(object, path, 'object.field_shape', message)]
  })
}

const identifier = '[\\p{L}\\p{Nl}_][\\p{L}\\p{Nl}\\p{Nd}\\p{Mn}\\p{Mc}\\p{Pc}\\p{Cf}]{0,127}'
const entityName = new RegExp(`^${identifier}$`, 'u')
const propertyPath = new RegExp(`^${identifier}(/${identifier})*$`, 'u')

/** Names of the source become part of URLs. */
const remoteNames: ObjectRule = (object) => {
  const { body } = object
  if (body.storage === 'local') return []
  const check = (name: string | undefined, form: RegExp, ...steps: (string | number)[]): Finding[] => {
    if (name === undefined || form.test(name)) return []
    const message = `"${name.slice(0, 80)}" cannot be a name in OData: it has letters, digits and underscores, and begins with no digit. Use the name from the metadata of the source.`
    return [errorFinding(object, pointer('body', ...steps), 'object.remote_name', message)]
  }
  return [
    ...check(body.remoteEntity, entityName, 'remoteEntity'),
    ...check(body.externalId, propertyPath, 'externalId'),
    ...check(body.ownerColumn, propertyPath, 'ownerColumn'),
    ...body.fields.flatMap(({ remoteField }, at) =>
      check(remoteField, propertyPath, 'fields', at, 'remoteField'),
    ),
  ]
}

/** The predicate on the owner is applied by the source. */
const ownerCanFilter: ObjectRule = (object, { view }) => {
  const { body } = object
  if (body.storage === 'local' || body.ownerColumn === undefined) return []
  const source = view.get('external_data_source', body.dataSource)
  if (source === undefined || source.body.pushdown.filter) return []
  const message =
    `${object.key} has an owner column, but its source ${source.key} cannot filter by it: "pushdown.filter" is false. ` +
    `Set pushdown.filter of external_data_source/${source.key} if the service can filter, or remove "ownerColumn".`
  return [errorFinding(object, '/body/ownerColumn', 'object.owner_column', message)]
}

export const virtualRules: readonly ObjectRule[] = [
  virtualLimits,
  mappingIsRemote,
  remoteTypeFits,
  remoteNames,
  ownerCanFilter,
]
