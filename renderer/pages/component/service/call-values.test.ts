// Forms of operations: which fields they have, and what they send.
import { describe, expect, it } from 'vitest'
import { ledgerTypes } from '#kernel/components/external-service/fixture.ts'
import { ApiError } from '../../../api/request.ts'
import { callFields, callParams, fieldFaults } from './call-values.ts'

const operation = (name: string) => ledgerTypes.operations.find((each) => each.name === name)!
const fieldsOf = (name: string) => callFields(operation(name), ledgerTypes.objects)

describe('the form of an operation', () => {
  it('has a field for each parameter', () => {
    expect(fieldsOf('listEntries').map(({ path, place }) => [path, place])).toEqual([
      ['/limit', 'query'],
      ['/kind', 'query'],
    ])
  })

  it('has the members of the body that a request can contain, and ends in a circle', () => {
    const fields = fieldsOf('createEntry')
    const labels = fields.map(({ label }) => label)
    expect(labels.slice(0, 5)).toEqual(['amount', 'note', 'secret', 'booked on', 'kind'])
    expect(labels).not.toContain('id')
    expect(labels).toContain('parent.parent.amount')
    expect(fields.find(({ label }) => label === 'parent.parent.parent')).toMatchObject({ isJson: true })
    // A member of an optional object is not required.
    expect(fields.filter(({ required }) => required).map(({ label }) => label)).toEqual(['amount', 'kind'])
  })

  it('sends what is typed', () => {
    const values = {
      ...{ '/body/amount': '1.50', '/body/kind': 'debit', '/body/note': '', '/body/tags': '["a"]' },
      '/body/parent/amount': '2',
    }
    expect(callParams(fieldsOf('createEntry'), values)).toEqual({
      body: { amount: '1.50', kind: 'debit', tags: ['a'], parent: { amount: '2' } },
    })
    expect(callParams(fieldsOf('createEntry'), {})).toEqual({})
    expect(() => callParams(fieldsOf('createEntry'), { '/body/tags': '[' })).toThrow(
      'tags is not valid JSON.',
    )
  })

  it('shows a refused value at its field, in the words of the form', () => {
    const details = [
      { path: '/params/body/amount', message: '/amount must be a number.' },
      { path: '/params/body/elsewhere', message: '/elsewhere is not a property.' },
    ]
    const error = new ApiError(422, 'request.invalid', 'refused', details)
    expect(fieldFaults(fieldsOf('createEntry'), error)).toEqual({
      '/body/amount': 'amount must be a number.',
    })
    expect(fieldFaults(fieldsOf('createEntry'), new ApiError(403, 'access.denied', 'no', details))).toEqual(
      {},
    )
  })
})
