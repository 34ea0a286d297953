// A user is found by the ways in which people type names.
import { expect, it } from 'vitest'
import { isFound } from './people-search.ts'

const ines = { key: 'ines.k', name: 'Ines Kovač' }

it.each([
  ['', true],
  ['kovac', true],
  ['KOV ine', true],
  ['ines.k', true],
  ['mara', false],
])('a user is found by %j: %s', (text, found) => {
  expect(isFound(ines, text)).toBe(found)
})
