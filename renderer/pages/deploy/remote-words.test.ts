// The words of a row, by which the user decides what to select.
import { describe, expect, it } from 'vitest'
import { isPushedByDefault, keyOfName, progressWords, stateWords } from './remote-words.ts'

describe('what is pushed by default', () => {
  it.each([
    ['only_local', false, true],
    ['changed_local', false, true],
    ['only_local', true, false],
    ['changed_local', true, false],
    ['both', true, false],
    ['only_remote', false, false],
    ['changed_remote', true, false],
    ['same', false, false],
  ] as const)('%s with drift %s: %s', (state, drift, goes) =>
    expect(isPushedByDefault({ state, drift })).toBe(goes),
  )
})

it('names others if they changed it', () => {
  expect(stateWords({ state: 'only_local', drift: true })).toContain('by others')
  expect(stateWords({ state: 'only_local', drift: false })).toBe('only in this org')
})

it('shows the progress of a job', () => {
  expect(progressWords({ step: 'send', done: 1200, total: 3310 })).toBe('Sending, 1,200 of 3,310')
  expect(progressWords({ step: 'contact', done: 0, total: null })).toBe('Connecting')
})

it.each([
  ['Kestrel, Production', 'kestrel_production'],
  ['2nd test', 'nd_test'],
  ['Öl & Gas', 'ol_gas'],
  ['--', ''],
])('makes %s the key %s', (name, key) => expect(keyOfName(name)).toBe(key))
