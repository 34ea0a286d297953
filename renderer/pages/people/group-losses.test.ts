import { expect, it } from 'vitest'
import type { PeopleView, UserView } from '../../api/people.ts'
import { lossesOf, lossWords } from './group-losses.ts'

const user = (key: string, groups: string[], permissionSets: string[] = []) =>
  ({ key, name: key.toUpperCase(), groups, permissionSets }) as UserView
const people: PeopleView = {
  users: [
    user('a', ['finance']),
    user('b', ['finance', 'tax']),
    user('c', ['finance'], ['authors']),
    user('d', ['tax']),
  ],
  groups: [
    { key: 'finance', name: 'Finance', permissionSets: ['authors', 'readers'], version: '' },
    { key: 'tax', name: 'Tax', permissionSets: ['authors'], version: '' },
  ],
  permissionSets: [],
}

it('members lose what they hold only through the deleted group', () => {
  const losses = lossesOf(people, 'finance').map(({ permissionSet, users }) => [
    permissionSet,
    users.map(({ key }) => key),
  ])
  expect(losses).toEqual([
    ['authors', ['a']],
    ['readers', ['a', 'b', 'c']],
  ])
  expect(lossesOf({ ...people, users: [] }, 'finance')).toEqual([])
})

it('a loss names at most five users and counts the others', () => {
  const users = (count: number) => Array.from({ length: count }, (_, at) => user(`u${at}`, []))
  expect(lossWords({ permissionSet: 'x', users: users(1) }, 'Authors')).toBe('U0 loses Authors.')
  expect(lossWords({ permissionSet: 'x', users: users(7) }, 'Authors')).toBe(
    'U0, U1, U2, U3, U4 and 2 more lose Authors.',
  )
})
