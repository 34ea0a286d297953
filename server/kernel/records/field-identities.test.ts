// A rename keeps the identity of a field; a different type or target does not.
import { describe, expect, it } from 'vitest'
import { nextFieldIds, type EarlierField, type FieldShape } from './field-identities.ts'
import type { FieldId, ObjectId } from './record-state.ts'

const before: EarlierField[] = [
  { key: 'name', id: 1 as FieldId, type: 'text', target: null },
  { key: 'price', id: 3 as FieldId, type: 'number', target: null, precision: 8, scale: 2 },
  { key: 'owner', id: 2 as FieldId, type: 'reference', target: 'person@1' as ObjectId },
]
const field = (key: string, type: string, more: object = {}): FieldShape =>
  ({ key, type, aliases: [], ...more }) as unknown as FieldShape

function idsOf(...fields: FieldShape[]): Record<string, number> {
  let last = 10
  const targetOf = ({ references }: FieldShape): ObjectId | null =>
    references === undefined ? null : (`${references}@1` as ObjectId)
  return Object.fromEntries(nextFieldIds(before, fields, targetOf, () => (last += 1) as FieldId))
}

describe('a field', () => {
  it.each<[string, FieldShape[], Record<string, number>]>([
    ['keeps its identity', [field('name', 'text')], { name: 1 }],
    ['keeps it through a rename', [field('title', 'text', { aliases: ['name'] })], { title: 1 }],
    ['of a reused key is a new one', [field('name', 'number')], { name: 11 }],
    [
      'of a reused key continues it before a former name does',
      [field('title', 'text', { aliases: ['name'] }), field('name', 'text')],
      { title: 11, name: 1 },
    ],
    [
      'that refers to a different object is a new one',
      [field('owner', 'reference', { references: 'team' })],
      { owner: 11 },
    ],
    ['that grows keeps it', [field('price', 'number', { precision: 12, scale: 4 })], { price: 3 }],
    [
      'with fewer whole digits is a new one',
      [field('price', 'number', { precision: 8, scale: 3 })],
      { price: 11 },
    ],
    [
      'with fewer decimals is a new one',
      [field('price', 'number', { precision: 9, scale: 1 })],
      { price: 11 },
    ],
    ['without a rename is a new one', [field('title', 'text')], { title: 11 }],
  ])('%s', (_name, fields, expected) => {
    expect(idsOf(...fields)).toEqual(expected)
  })
})
