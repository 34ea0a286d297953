// Rights are explained by permission sets and groups.
import { expect, it } from 'vitest'
import { chainOf, missingWords } from './access-words.ts'

const assignments = [
  { permissionSet: 'authors', label: 'Authors', direct: true, groups: ['finance', 'tax'] },
  { permissionSet: 'readers', label: 'Readers', direct: false, groups: ['finance'] },
]
const names = (key: string): string => ({ finance: 'Finance', tax: 'Tax' })[key] ?? key

it('names every way to a permission', () => {
  expect(chainOf({ through: ['authors', 'readers', 'gone'] }, { assignments }, names)).toEqual([
    { permissionSet: 'authors', label: 'Authors', ways: 'directly and through Finance, Tax' },
    { permissionSet: 'readers', label: 'Readers', ways: 'through Finance' },
  ])
})

it('lists what is missing for editing', () => {
  expect(missingWords(['config.author', 'edit:vat_rate'])).toBe(
    'the permission config.author and an edit grant',
  )
})
