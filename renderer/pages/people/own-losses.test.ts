import { expect, it } from 'vitest'
import type { GroupView } from '../../api/people.ts'
import { lossQuestion, ownLosses } from './own-losses.ts'

const group = (key: string, permissionSets: string[]): GroupView =>
  ({ key, permissionSets }) as unknown as GroupView
const people = { groups: [group('tax', ['authors', 'clerk'])] }
const me = { permissionSets: ['admin', 'clerk'], groups: ['tax'] }
const same = { before: people, after: people }

it('a permission set is lost only if neither the user nor a group of theirs still gives it', () => {
  const without = { permissionSets: ['admin'], groups: ['tax'] }
  expect(ownLosses({ before: me, after: without }, same)).toEqual([])
  expect(ownLosses({ before: me, after: { ...me, groups: [] } }, same)).toEqual(['authors'])
  expect(ownLosses({ before: me, after: { permissionSets: [], groups: [] } }, same)).toEqual([
    'admin',
    'clerk',
    'authors',
  ])
  const smaller = { groups: [group('tax', [])] }
  expect(ownLosses({ before: me, after: me }, { before: people, after: smaller })).toEqual(['authors'])
})

it('the question names every permission set', () => {
  expect(lossQuestion(['Admin', 'Clerk'])).toMatch(/^You lose Admin and Clerk\./)
})
