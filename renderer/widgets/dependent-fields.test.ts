// The fields that a change hides and shows again, in the form of a configuration set.
import { describe, expect, it } from 'vitest'
import { configSetForm } from '#kernel/components/config-set/form.ts'
import { dependentFields } from './dependent-fields.ts'

const fields = configSetForm.sections.flatMap((section) => section.fields)
const number = { key: 'rate', type: 'number', precision: 3, scale: 7 }
const body = { cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' }, fields: [number] }

describe('a field that belongs to a type', () => {
  it('is removed with the type and restored with it', () => {
    const { changesOf } = dependentFields(fields)
    expect(changesOf(body, ['fields', 0, 'type'], 'text')).toEqual([
      { path: ['fields', 0, 'type'], value: 'text' },
      { path: ['fields', 0, 'precision'], value: undefined },
      { path: ['fields', 0, 'scale'], value: undefined },
    ])
    const text = { ...body, fields: [{ key: 'rate', type: 'text' }] }
    expect(changesOf(text, ['fields', 0, 'type'], 'number')).toEqual([
      { path: ['fields', 0, 'type'], value: 'number' },
      { path: ['fields', 0, 'precision'], value: 3 },
      { path: ['fields', 0, 'scale'], value: 7 },
    ])
  })

  it('is removed at the top of the body and within a group', () => {
    const { changesOf } = dependentFields(fields)
    expect(changesOf(body, ['cardinality'], 'singleton')[1]).toEqual({ path: ['keyedBy'], value: undefined })
    const coins = { ...body, keyedBy: { key: 'coin', type: 'enum', valueSet: 'coins' } }
    expect(changesOf(coins, ['keyedBy', 'type'], 'text')[1]).toEqual({
      path: ['keyedBy', 'valueSet'],
      value: undefined,
    })
  })

  it('is not given to the item that takes its place', () => {
    const { changesOf } = dependentFields(fields)
    changesOf(body, ['fields', 0, 'type'], 'text')
    expect(changesOf(body, ['fields', 0], undefined)).toEqual([{ path: ['fields', 0], value: undefined }])
    const other = { ...body, fields: [{ key: 'note', type: 'text' }] }
    expect(changesOf(other, ['fields', 0, 'type'], 'number')).toHaveLength(1)
  })
})
