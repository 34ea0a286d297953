import { describe, expect, it } from 'vitest'
import { compileExpression } from './compile.ts'
import { component, configSet, byCountry, field, objectOf } from './fixture.ts'
import { MemoryView } from '../components/memory-view.ts'
import { builtIns } from './functions.ts'

const names: [string, string][] = [
  ...['amount', 'weight', 'balance', 'limit', 'allowance', 'discount'].map((key): [string, string] => [
    key,
    'number',
  ]),
  ...['note', 'name', 'email', 'code', 'vat_number', 'reference_no'].map((key): [string, string] => [
    key,
    'text',
  ]),
  ...['invoice_date', 'due_date', 'start_date'].map((key): [string, string] => [key, 'date']),
]
const view = new MemoryView([
  configSet('vat', [field('rate', 'number')], byCountry),
  objectOf('customer', [field('country', 'text')]),
  objectOf('invoice', [
    ...names.map(([key, type]) => field(key, type)),
    field('customer', 'reference', { references: 'customer' }),
  ]),
  component('value_set', 'unused', { values: [] }),
])

describe('the manual of built-in functions', () => {
  it.each(builtIns.map((builtIn) => [builtIn.name, builtIn.example]))(
    'the example of %s compiles',
    (name, example) => {
      const { problems } = compileExpression(
        example,
        {
          kind: 'automation',
          object: 'invoice',
          phase: 'post_commit',
          params: [],
          calls: [{ action: 'check' }],
        },
        view,
      )
      expect(problems).toEqual([])
      expect(example).toContain(name)
    },
  )

  it('documents each once', () => {
    expect(new Set(builtIns.map(({ name }) => name)).size).toBe(builtIns.length)
    for (const { doc } of builtIns) expect(doc).toMatch(/\.$/)
  })
})
