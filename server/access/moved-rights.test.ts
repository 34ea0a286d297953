import { describe, expect, it } from 'vitest'
import type { Change } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { idOf } from '#kernel/components/component.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { buildComponent } from '../../test/support/metadata.ts'
import { authorise } from './authorise.ts'
import { accessFromSets } from './effective-access.ts'

type Field = [key: string, ...aliases: string[]]

const object = (key: string, fields: readonly Field[], aliases: string[] = []): Component =>
  buildComponent('object', key, {
    aliases,
    fields: fields.map(([name, ...former]) => ({ key: name, type: 'text', aliases: former })),
  })
const rights = { read: true, create: false, update: false, delete: false, viewAll: false, modifyAll: false }
const sets = [
  buildComponent('permission_set', 'shapers', { systemPermissions: ['metadata.author'] }),
  buildComponent('permission_set', 'security', { systemPermissions: ['metadata.author', 'access.manage'] }),
  buildComponent('permission_set', 'desk', {
    systemPermissions: [],
    objects: { company: rights, firm: rights },
    fields: { 'company.segment': { read: true, edit: true }, 'firm.name': { read: true, edit: false } },
  }),
]
const company = object('company', [['segment'], ['secret']])
const hidden = object('hidden', [['name']])
const base = new MemoryView([...sets, company, hidden])

const changed = (before: Component, after: Component): Change =>
  ({
    ...(before.key === after.key ? { kind: 'changed' } : { kind: 'renamed', from: idOf(before) }),
    ...{ id: idOf(after), before, after, values: [], hints: {} },
  }) as unknown as Change
const added = (after: Component): Change => ({ kind: 'added', id: idOf(after), after }) as Change

function denied(changes: readonly Change[], from = base, held = ['shapers']): string[] {
  const gone = new Set(changes.flatMap((change) => ('before' in change ? [idOf(change.before)] : [])))
  const candidate = new MemoryView([
    ...[...from.all()].filter((each) => !gone.has(idOf(each))),
    ...changes.flatMap((change) => ('after' in change ? [change.after as Component] : [])),
  ])
  return authorise(accessFromSets('mara', held, from), changes, from, candidate).map(
    ({ permission, message }) => `${permission}: ${message}`,
  )
}

const needs = (id: string, target: string, name: string): string =>
  `access.manage: mara needs the permission access.manage: the change to ${id} gives permission_set/desk rights to ${target}, because it names ${name}.`

describe('a change after which a permission set names something else needs access.manage', () => {
  const cases: [string, Change[], string[]][] = [
    [
      'a field takes the name of a removed one as an alias',
      [changed(company, object('company', [['secret', 'segment']]))],
      [needs('object/company', 'company.secret', 'company.segment')],
    ],
    [
      'a field takes over a name while the other is renamed',
      [changed(company, object('company', [['part'], ['secret', 'segment']]))],
      [needs('object/company', 'company.secret', 'company.segment')],
    ],
    [
      'a field is renamed, and keeps the rights by its former name',
      [changed(company, object('company', [['part', 'segment'], ['secret']]))],
      [],
    ],
    [
      'a field is renamed to a name that no permission set has',
      [changed(company, object('company', [['segment'], ['private', 'secret']]))],
      [],
    ],
    ['a new field has the name', [changed(company, object('company', [['other'], ['secret']]))], []],
    [
      'an object takes a name as an alias',
      [changed(hidden, object('hidden', [['name']], ['firm']))],
      [needs('object/hidden', 'hidden.name', 'firm.name')],
    ],
    [
      'an object is renamed to a name',
      [changed(hidden, object('firm', [['name']], ['hidden']))],
      [needs('object/firm', 'firm.name', 'firm.name')],
    ],
    [
      'an object is renamed, and keeps the rights by its former name',
      [changed(company, object('business', [['segment'], ['secret']], ['company']))],
      [],
    ],
    ['a new object has the name', [added(object('firm', [['name']]))], []],
  ]
  it.each(cases)('%s', (_title, changes, expected) => {
    expect(denied(changes)).toEqual(expected)
    expect(denied(changes, base, ['security'])).toEqual([])
  })

  it('even if the name was free for a while', () => {
    const later = new MemoryView([...sets, object('company', [['secret']]), hidden])
    const before = later.get('object', 'company')!
    expect(denied([changed(before, object('company', [['secret', 'segment']]))], later)).toEqual([
      needs('object/company', 'company.secret', 'company.segment'),
    ])
  })
})
