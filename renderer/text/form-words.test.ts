// Every fault that a form can show, for the fields of every room: never a property name, never JSON.
import { describe, expect, it } from 'vitest'
import { componentTypes } from '#kernel/components/component.ts'
import type { FieldDescriptor } from '#kernel/components/form.ts'
import { formOf } from '#kernel/components/forms.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { allFields } from '#kernel/components/form-place.ts'
import { inFormWords } from './form-words.ts'

const isList = ({ widget }: FieldDescriptor): boolean => ['grid', 'list'].includes(widget)

/** A body in which the field at the end of the path has the value, in the first item of each list. */
function bodyWith(path: readonly FieldDescriptor[], value: unknown): Record<string, unknown> {
  const [field, ...rest] = path
  if (field === undefined) return {}
  const inner = rest.length === 0 ? value : bodyWith(rest, value)
  const last = rest.length > 0 && isList(field) ? [inner] : inner
  const names = field.path.split('.')
  const beside = field.when === undefined ? {} : nested(field.when.path.split('.'), field.when.in[0])
  return { ...beside, ...nested(names, last) }
}

const nested = (names: readonly string[], value: unknown): Record<string, unknown> =>
  Object.fromEntries([[names[0]!, names.length === 1 ? value : nested(names.slice(1), value)]])

function pathsOf(fields: readonly FieldDescriptor[]): FieldDescriptor[][] {
  return fields.flatMap((field) => [[field], ...pathsOf(field.fields ?? []).map((path) => [field, ...path])])
}

const wrong: unknown[] = [undefined, 'abc', 5.5, -1, true, {}, [], [5], ['§ 1'], { oddName: 1 }, '']

describe.each(componentTypes)('the form of %s', (type) => {
  const sections = formOf(type).sections.flatMap(({ fields }) => fields)
  const names = [...new Set(allFields(formOf(type)).flatMap(({ path }) => [path, path.split('.').at(-1)!]))]
  const camel = names.filter((name) => /[A-Z]/.test(name))

  it.each(pathsOf(sections).map((path) => [path.map((field) => field.path).join(' / '), path] as const))(
    'describes %s with its own labels',
    (_, path) => {
      for (const value of wrong) {
        const json = { type, key: 'some', label: 'Some', body: bodyWith(path, value) }
        for (const finding of parseComponent(json).findings) {
          const { message } = inFormWords(formOf(type), finding)
          expect(message).not.toMatch(
            /\/body|a property|JSON (?!view)|in quotes|true or false|an object|a list\b/,
          )
          for (const name of camel) expect(message).not.toMatch(new RegExp(`(?<![\\w"])${name}(?!\\w)`))
          for (const name of names) expect(message).not.toContain(`"${name}"`)
        }
      }
    },
  )
})

describe('a rule’s finding in a form', () => {
  const set = formOf('config_set')
  it.each([
    [
      '/body/fields/1/precision',
      'note is of type text, so it has no "precision". Remove it, or make the type number.',
      'note is of type "Text", so it has no "Digits". Remove it, or set "Type" to "Number".',
    ],
    [
      '/body/fields/0/scale',
      'rate has 7 digits after the decimal point but only 3 in total. Raise "precision" to at least 7, or lower "scale".',
      'rate has 7 digits after the decimal point but only 3 in total. Raise "Digits" to at least 7, or lower "Decimal places".',
    ],
    [
      '/body/keyedBy',
      'vat is a singleton, so it cannot have a business key. Remove "keyedBy", or make the cardinality keyed.',
      'vat is a singleton, so it cannot have a business key. Remove "Business key", or set "Rows" to "One row for each key".',
    ],
    [
      '/body/asOfField/0',
      'asOfField "label.date" names no field. label has no "precision"; it has day.',
      '"As-of field" "label.date" names no field. label has no "precision"; it has day.',
    ],
  ])('%s', (path, message, words) => {
    expect(inFormWords(set, { code: 'config.field_shape', path, message }).message).toBe(words)
  })
})
