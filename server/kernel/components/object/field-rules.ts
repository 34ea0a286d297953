// Rules for a single field of an object.
import type { Finding } from '../../errors/finding.ts'
import type { Rule } from '../define.ts'
import { fieldShapeFindings } from '../field-shape.ts'
import { reservedNames } from '../reserved-names.ts'
import { pointer } from '../pointer.ts'
import { errorFinding } from '../report.ts'

type ObjectRule = Rule<'object'>

const shapes: ObjectRule = (object) =>
  object.body.fields.flatMap((field, at) =>
    fieldShapeFindings(object, ['body', 'fields', at], field, 'object.field_shape'),
  )

/** A computed field is never entered: it cannot be required or unique, and is computed in only one way. */
const computed: ObjectRule = (object) =>
  object.body.fields.flatMap((field, at) => {
    const findings: Finding[] = []
    const say = (property: string, message: string) =>
      findings.push(
        errorFinding(object, pointer('body', 'fields', at, property), 'object.field_shape', message),
      )
    if (field.formula === undefined && field.rollup === undefined) return findings
    if (field.formula !== undefined && field.rollup !== undefined)
      say('rollup', `${field.key} has a formula and a roll-up. Keep one of the two.`)
    if (field.required) say('required', `${field.key} is computed and cannot be entered. Remove "required".`)
    if (field.unique) say('unique', `${field.key} is computed, so it cannot be unique. Remove "unique".`)
    if (field.default !== undefined)
      say('default', `${field.key} is computed, so a default would never be used. Remove "default".`)
    return findings
  })

const sensitiveText: ObjectRule = (object) =>
  object.body.fields.flatMap((field, at) => {
    if (!field.sensitive || field.type === 'text') return []
    const message = `${field.key} is of type ${field.type}; only a text field can be sensitive. Remove "sensitive".`
    return [errorFinding(object, pointer('body', 'fields', at, 'sensitive'), 'object.field_shape', message)]
  })

const fieldAliases: ObjectRule = (object) => {
  const holders = new Map(object.body.fields.map((field) => [field.key, field.key]))
  return object.body.fields.flatMap((field, at) =>
    field.aliases.flatMap((alias, index) => {
      const holder = holders.get(alias)
      if (holder === undefined) {
        holders.set(alias, field.key)
        return []
      }
      const message = `The field ${holder} already uses the alias "${alias}" of ${field.key}. Remove it from one of the two fields.`
      return [errorFinding(object, pointer('body', 'fields', at, 'aliases', index), 'object.alias', message)]
    }),
  )
}

const readable: ObjectRule = (object) =>
  object.body.fields.flatMap(({ key }, at) => {
    if (!reservedNames.has(key)) return []
    const message = `"${key}" is reserved in expressions, so they cannot read a field with this name. Choose a different name, such as "${key}_value".`
    return [errorFinding(object, pointer('body', 'fields', at, 'key'), 'key.unreadable', message)]
  })

export const fieldRules: readonly ObjectRule[] = [readable, shapes, computed, sensitiveText, fieldAliases]
