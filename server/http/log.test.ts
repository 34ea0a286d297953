import { expect, it } from 'vitest'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { logFailure } from './log.ts'

function logged(error: unknown): [fields: object, message: string][] {
  const lines: [object, string][] = []
  const log = { info: () => undefined, error: (...line: [object, string]) => void lines.push(line) }
  logFailure(log, 'a job over records', error)
  return lines
}

it('a full disk is logged as what it is, without a stack', () => {
  expect(logged(new AlmanacError('storage.full', 'The disk is full.'))).toEqual([
    [
      { code: 'storage.full', detail: 'The disk is full.' },
      'a job over records could not be stored, and will be tried again',
    ],
  ])
})

it('other errors are logged as unexpected, with their stack', () => {
  const error = new Error('planted')
  expect(logged(error)).toEqual([[{ err: error }, 'a job over records failed unexpectedly']])
})
