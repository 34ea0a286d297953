// Rules for objects, local or virtual.
import type { Finding } from '../../errors/finding.ts'
import { componentId } from '../component.ts'
import type { Rule } from '../define.ts'
import { duplicateItemFindings } from '../duplicates.ts'
import { membersExist } from '../members.ts'
import { pointer } from '../pointer.ts'
import { errorFinding } from '../report.ts'
import { fieldRules } from './field-rules.ts'
import { objectReferences } from './references.ts'
import { rollupRules } from './rollup-rules.ts'
import { newFieldsAreReadable } from './unreadable-fields.ts'
import { virtualRules } from './virtual-rules.ts'

type ObjectRule = Rule<'object'>

/** Paths of the data API at the place of an object's name (docs/reference/http.md). */
const reservedKeys = ['batch', 'jobs', 'query']

const keyIsFree: ObjectRule = (object) => {
  const findings: Finding[] = []
  const say = (path: string, name: string) => {
    const message = `"${name}" is reserved: /data/v3/${name} is a path of the data API. Choose a different name.`
    findings.push(errorFinding(object, path, 'object.reserved_key', message))
  }
  if (reservedKeys.includes(object.key)) say('/key', object.key)
  object.body.aliases.forEach((alias, at) => {
    if (reservedKeys.includes(alias)) say(pointer('body', 'aliases', at), alias)
  })
  return findings
}

const aliasesAreFree: ObjectRule = (object, { view }) =>
  object.body.aliases.flatMap((alias, at) => {
    const holder = holderOf(alias)
    if (holder === null) return []
    const message = `The object ${holder} already uses the alias "${alias}". Remove it from one of the two objects.`
    const related = [{ component: componentId('object', holder), path: '' }]
    return [errorFinding(object, pointer('body', 'aliases', at), 'object.alias', message, { related })]

    function holderOf(name: string): string | null {
      if (view.has('object', name)) return name
      for (const other of view.list('object')) {
        if (other.key !== object.key && other.body.aliases.includes(name)) return other.key
      }
      return null
    }
  })

const keyIsNotAnAlias: ObjectRule = (object, { view }) =>
  [...view.list('object')].flatMap((other) => {
    if (other.key === object.key || !other.body.aliases.includes(object.key)) return []
    const message = `"${object.key}" is an alias of the object ${other.key}, and requests use it. Choose a different key, or remove the alias from ${other.key}.`
    const related = [{ component: componentId('object', other.key), path: '/body/aliases' }]
    return [errorFinding(object, '/key', 'object.alias', message, { related })]
  })

const nameField: ObjectRule = (object) => {
  const { nameField: name, fields } = object.body
  const field = fields.find((candidate) => candidate.key === name)
  if (field === undefined || field.type === 'text') return []
  const message = `The name field ${field.key} is of type ${field.type}, but a name must be text. Choose a text field.`
  return [errorFinding(object, '/body/nameField', 'object.name_field', message)]
}

const ownerField: ObjectRule = (object) => {
  if (object.body.storage !== 'local') return []
  const { ownerField: name } = object.body.sharing
  const field = object.body.fields.find((candidate) => candidate.key === name)
  if (field === undefined || field.type === 'text') return []
  const message = `The owner field ${field.key} is of type ${field.type}, but it contains the key of a user, so it must be text. Choose a text field.`
  return [errorFinding(object, '/body/sharing/ownerField', 'object.owner_field', message)]
}

const uniqueKeys: ObjectRule = (object) => {
  const fields = duplicateItemFindings(object, ['body', 'fields'], object.body.fields, 'key')
  if (object.body.storage !== 'local') return fields
  return [
    ...fields,
    ...duplicateItemFindings(object, ['body', 'validationRules'], object.body.validationRules, 'key'),
    ...duplicateItemFindings(object, ['body', 'sharing', 'rules'], object.body.sharing.rules, 'key'),
  ]
}

/** Live fields of an object whose records are stored here. */
const mostFields = 500

const fieldCount: ObjectRule = (object) => {
  const { storage, fields } = object.body
  if (storage !== 'local' || fields.length <= mostFields) return []
  const message = `${object.key} has ${fields.length} fields; at most ${mostFields} are allowed. Move some to a related object.`
  return [errorFinding(object, '/body/fields', 'object.too_many_fields', message)]
}

export const objectRules: readonly ObjectRule[] = [
  fieldCount,
  keyIsFree,
  aliasesAreFree,
  keyIsNotAnAlias,
  uniqueKeys,
  ...fieldRules,
  ...virtualRules,
  ...rollupRules,
  membersExist(objectReferences),
  nameField,
  ownerField,
  newFieldsAreReadable,
]
