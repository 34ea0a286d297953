// The access to records agrees with a plain reference, for random users, permissions, sharing and rows.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { viewValues, type RecordSnapshot } from '#kernel/records/index.ts'
import { Generations } from '../../server/kernel/records/fixture.ts'
import { accessOf, type Person } from './access.ts'

type Access = 'read' | 'read_write'
interface Sharing {
  default: 'private' | Access
  owned: boolean
  rules: { at: number; permissionSet: string; access: Access }[]
}

const sharing: fc.Arbitrary<Sharing> = fc.record({
  default: fc.constantFrom('private' as const, 'private' as const, 'read' as const, 'read_write' as const),
  owned: fc.boolean(),
  rules: fc.array(
    fc.record({
      at: fc.nat({ max: 3 }),
      permissionSet: fc.constantFrom('a', 'b', 'c'),
      access: fc.constantFrom('read' as const, 'read_write' as const),
    }),
    { maxLength: 3 },
  ),
})
const right = fc.boolean()
const person: fc.Arbitrary<Person> = fc.record({
  user: fc.constantFrom('ann', 'ben'),
  permissionSets: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
  objects: fc.record(
    {
      job: fc.record({
        create: right,
        read: right,
        update: right,
        delete: right,
        viewAll: right,
        modifyAll: right,
      }),
    },
    { requiredKeys: [] },
  ),
  fields: fc.record(
    {
      'job.level': fc.record({ read: right, edit: right }),
      'job.owner': fc.record({ read: right, edit: right }),
    },
    { requiredKeys: [] },
  ),
  platformRoot: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
})
const row = fc.record({
  owner: fc.constantFrom('ann', 'ben', null),
  level: fc.constantFrom('0', '1', '2', '3', null),
})

const snapshots = new Map<string, RecordSnapshot>()

/** The generation with an object that is shared like this. */
function snapshotOf({ default: shared, owned, rules }: Sharing): RecordSnapshot {
  const body = {
    fields: [
      { key: 'owner', type: 'text' },
      { key: 'level', type: 'number', precision: 4, scale: 0 },
    ],
    sharing: {
      default: shared,
      ...(owned ? { ownerField: 'owner' } : {}),
      rules: rules.map(({ at, permissionSet, access }, n) => ({
        ...{ key: `r${n}`, permissionSet, access },
        when: `level >= ${at}`,
      })),
    },
  }
  const text = JSON.stringify(body)
  let snapshot = snapshots.get(text)
  if (snapshot === undefined) snapshots.set(text, (snapshot = new Generations().add({ 'object/job': body })))
  return snapshot
}

it('the access to a record, its object and its fields', () => {
  fc.assert(
    fc.property(sharing, person, row, (shared, who, values) => {
      const snapshot = snapshotOf(shared)
      const ids = snapshot.names.fieldIds('job')
      const record = viewValues(
        'job',
        new Map(Object.entries(values).map(([key, value]) => [ids.get(key)!, value])),
        snapshot,
        () => undefined,
      )
      const access = accessOf(who, snapshot)
      const rights = who.objects?.['job']
      const root = who.platformRoot === true

      const given: string[] = [shared.default]
      if (root || rights?.modifyAll === true) given.push('read_write')
      if (rights?.viewAll === true) given.push('read')
      if (shared.owned && values.owner === who.user) given.push('read_write')
      for (const { at, permissionSet, access: level } of shared.rules)
        if (
          who.permissionSets!.includes(permissionSet) &&
          values.level !== null &&
          Number(values.level) >= at
        )
          given.push(level)
      const expected = given.includes('read_write') ? 'read_write' : given.includes('read') ? 'read' : 'none'
      expect(access.rowAccess(record)).toBe(expected)
      expect(access.reasons(record)[0]?.access ?? 'none').toBe(expected)
      expect(['none', expected, ...(expected === 'read_write' ? ['read'] : [])]).toContain(
        access.accessToAll('job'),
      )

      for (const action of ['create', 'read', 'update', 'delete'] as const)
        expect(access.may('job', action)).toBe(root || rights?.[action] === true)
      expect(access.canSeeObject('job')).toBe(root || Object.values(rights ?? {}).includes(true))
      expect(access.canSeeObject('constructor')).toBe(root)
      for (const field of ['level', 'owner']) {
        const own = who.fields?.[`job.${field}`]
        expect(access.canEditField('job', field)).toBe(root || own?.edit === true)
        expect(access.canReadField('job', field)).toBe(root || own?.edit === true || own?.read === true)
      }
    }),
    { numRuns: Number(process.env['ALMANAC_QUESTIONS'] ?? 5000) },
  )
})
