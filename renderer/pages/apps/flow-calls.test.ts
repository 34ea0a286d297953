// The fields of a flow at which a refused call of an operation is shown.
import { expect, it } from 'vitest'
import { ApiError } from '../../api/request.ts'
import { callProblems } from './flow-calls.ts'

const call = { operation: 'quote', args: { of: 'number' }, into: {}, asOf: 'due' }

it('a problem of a parameter is shown at the field that fills it', () => {
  const refused = new ApiError(400, 'request.invalid', '', [{ path: '/params/of', message: 'Too long.' }])
  expect(callProblems(call, refused)).toEqual({ number: 'Too long.' })
  const raised = new ApiError(422, 'record.invalid', '', [{ field: 'of', message: 'Withdrawn.' }])
  expect(callProblems(call, raised)).toEqual({ number: 'Withdrawn.' })
})

it('a problem of a record that the operation writes is shown at the field with the same key', () => {
  const raised = new ApiError(422, 'record.invalid', '', [{ field: 'net', message: 'Negative.' }])
  expect(callProblems(call, raised)).toEqual({ net: 'Negative.' })
})

it('a missing date is shown at its field, without the property of the request', () => {
  const missing = new ApiError(400, 'config.as_of_required', 'add "asOf" as YYYY-MM-DD.')
  expect(callProblems(call, missing)).toEqual({ due: 'A date is required.' })
})
