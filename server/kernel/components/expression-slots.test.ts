// Every place of an expression in a schema has a role in the form, and each role finds its place, in complete and incomplete bodies.
import { describe, expect, it } from 'vitest'
import { componentTypes } from './component.ts'
import { expressionPlace, type ExpressionRole } from './expression-role.ts'
import { expressionSlots } from './expression-slots.ts'
import type { FieldDescriptor } from './form.ts'
import { formOf } from './forms.ts'
import { envelopeJsonSchema } from './json-schema.ts'
import { variants, type JsonSchema } from './schema-lookup.ts'
import { component } from './rule-fixture.ts'

describe.each(componentTypes)('%s', (type) => {
  it('has a role in its form for each of its expressions', () => {
    const body = envelopeJsonSchema(type).properties!['body']!
    const formRoles = formOf(type).sections.flatMap(({ fields }) =>
      fields.flatMap((field) => rolesIn(field, '')),
    )
    expect(formRoles.toSorted()).toEqual([...new Set(expressionsIn(body, ''))].toSorted())
  })
})

describe('the slots of an object', () => {
  const number = { type: 'number', precision: 9, scale: 2 }
  const invoice = component('object/invoice', {
    fields: [
      { ...number, key: 'gross', formula: { expression: 'net', stored: true } },
      { ...number, key: 'twice', formula: { expression: 'net * 2' } },
      { ...number, key: 'sum', rollup: { child: 'line', via: 'invoice', op: 'sum', of: 'x', filter: 'y' } },
    ],
    validationRules: [{ key: 'r', when: 'net < 0', message: 'No.' }],
    sharing: { rules: [{ key: 's', when: 'true', permissionSet: 'p', access: 'read' }] },
  })

  it('come in the order of the form, each with its site', () => {
    const object = 'invoice'
    expect(expressionSlots(invoice)).toEqual([
      {
        path: '/body/fields/0/formula/expression',
        source: 'net',
        site: { kind: 'stored_formula', object, field: 'gross' },
        expects: 'number',
      },
      {
        path: '/body/fields/1/formula/expression',
        source: 'net * 2',
        site: { kind: 'virtual_formula', object, field: 'twice' },
        expects: 'number',
      },
      {
        path: '/body/fields/2/rollup/filter',
        source: 'y',
        site: { kind: 'rollup_filter', object, field: 'sum', child: 'line' },
        expects: 'boolean',
      },
      {
        path: '/body/validationRules/0/when',
        source: 'net < 0',
        site: { kind: 'validation_rule', object },
        expects: 'boolean',
      },
      {
        path: '/body/sharing/rules/0/when',
        source: 'true',
        site: { kind: 'sharing_rule', object },
        expects: 'boolean',
      },
    ])
  })
})

describe('a half-typed place', () => {
  it.each<[ExpressionRole, object, (string | number)[], object]>([
    ['formula', {}, ['fields', 0, 'formula', 'expression'], { site: { field: '' }, expects: 'any' }],
    [
      'formula',
      { fields: [{ type: 'date' }] },
      ['fields', '0', 'formula', 'expression'],
      { expects: 'date' },
    ],
    ['list_filter', { object: 7 }, ['filter'], { site: { object: '' }, expects: 'boolean' }],
    [
      'calc_function',
      { params: [{ key: 'a' }, { key: 'b', type: 'text' }], returns: 'txt' },
      ['expression'],
      { site: { params: [{ key: 'b', type: 'text' }] }, expects: 'any' },
    ],
    [
      'automation_value',
      { phase: 'invocable' },
      ['actions', 0, 'record'],
      { site: { object: null }, expects: 'any' },
    ],
  ])('of a %s in %j', (role, body, steps, expected) => {
    expect(expressionPlace(role, 'x', body, steps)).toMatchObject(expected)
  })
})

function rolesIn(field: FieldDescriptor, holder: string): string[] {
  const path = `${holder}/${field.path.replaceAll('.', '/')}`
  if (field.expression !== undefined) return [path]
  return (field.fields ?? []).flatMap((inner) => rolesIn(inner, path))
}

/** Paths of the expressions that a schema has, without the steps of items. */
function expressionsIn(schema: JsonSchema, path: string): string[] {
  return variants(schema).flatMap((variant) => [
    ...(variant.format === 'expression' ? [path] : []),
    ...Object.entries(variant.properties ?? {}).flatMap(([name, each]) =>
      expressionsIn(each, `${path}/${name}`),
    ),
    ...(variant.items === undefined ? [] : expressionsIn(variant.items, path)),
    ...(typeof variant.additionalProperties === 'object'
      ? expressionsIn(variant.additionalProperties, path)
      : []),
  ])
}
