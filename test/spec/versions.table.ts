// What clients can rely on while the org changes (section 9 of the specification). The use of a removed field is in
// test/http/field-use.test.ts.
import { bill, billWith, clerksWith, rate } from './data-ground.ts'
import { done, seen, type As, type DataOrg, type RuleCase } from './data-target.ts'
import { addBill } from './values.table.ts'

const ann: As = { user: 'ann' }
const note = { key: 'note', type: 'text', label: 'Note' }
const same = (field: object): object => field

/** `memo` is now `remark`. */
async function rename(org: DataOrg): Promise<void> {
  const shout = { key: 'shout', type: 'automation', label: 'shout' }
  const body = { object: 'bill', phase: 'before_write', when: 'remark == "quiet"', actions: [] }
  const renamed = billWith((field) =>
    field.key === 'memo' ? { ...field, key: 'remark', label: 'Remark', aliases: ['memo'] } : field,
  )
  done(await org.apply([renamed, clerksWith(['remark'], ['memo']), { ...shout, body }]))
}

export const versionCases: readonly RuleCase[] = [
  {
    rule: '9.2',
    name: 'a version does not pin the rules of the org',
    deploys: true,
    run: async (org) => {
      const fields = { number: 'V-1', due: '2020-01-01', net: '100' }
      const insert = async () => seen(await org.save(ann, 'bill', { op: 'insert', fields }), () => 'saved')
      const rule = { key: 'small', when: 'net > 50', message: 'Too much.', field: 'net' }
      done(await org.apply([bill(undefined, { validationRules: [rule] })]))
      return insert()
    },
    gives: 'record.invalid',
  },
  {
    rule: '9.4 additive',
    name: 'a new field is in a full record, and in a projection only if it is named',
    deploys: true,
    run: async (org) => {
      const { id } = await addBill(org)
      done(await org.apply([billWith(same, note), clerksWith(['note'])]))
      const query = { object: 'bill', fields: ['net'] }
      return [
        seen(await org.get(ann, 'bill', id), ({ fields }) => fields['note']),
        seen(await org.get(ann, 'bill', id, ['net']), ({ fields }) => fields),
        seen(await org.query(ann, query), ({ records }) => records.map(({ fields }) => fields)),
        seen(await org.get(ann, 'bill', id, ['net', 'note']), ({ fields }) => fields),
      ]
    },
    gives: [null, { net: '100.00' }, [{ net: '100.00' }], { net: '100.00', note: null }],
  },
  {
    rule: '9.4 rename',
    name: 'the old name keeps resolving: read, write, query, filter and order',
    deploys: true,
    run: async (org) => {
      const { id } = await addBill(org, { memo: 'kept' })
      await rename(org)
      const full = done(await org.get(ann, 'bill', id)).fields
      const query = {
        object: 'bill',
        fields: ['memo'],
        filter: 'memo == "kept"',
        orderBy: [{ field: 'memo' }],
      }
      const found = seen(await org.query(ann, query), ({ records }) => records.map(({ fields }) => fields))
      const saved = done(await org.save(ann, 'bill', { op: 'update', id, fields: { memo: 'new' } })).fields
      return [
        [full['memo'], full['remark']],
        found,
        [saved['memo'], saved['remark']],
        seen(await org.get(ann, 'bill', id, ['memo', 'remark']), ({ fields }) => fields),
      ]
    },
    gives: [['kept', 'kept'], [{ memo: 'kept' }], ['new', 'new'], { memo: 'new', remark: 'new' }],
  },
  {
    rule: '9.4 rename',
    name: 'both names in one write are refused',
    deploys: true,
    run: async (org) => {
      const { id } = await addBill(org)
      await rename(org)
      const fields = { memo: 'a', remark: 'b' }
      return seen(await org.save(ann, 'bill', { op: 'update', id, fields }), () => 'saved')
    },
    gives: 'record.invalid',
  },
  {
    rule: '9.5',
    name: 'every change is a generation, and the same content makes no new one',
    deploys: true,
    run: async (org) => {
      const first = await org.activeGeneration()
      const change = [rate('at', 'AT', '2000-01-01', null, '0.21')]
      done(await org.apply(change))
      const second = await org.activeGeneration()
      done(await org.apply(change))
      return [second - first, (await org.activeGeneration()) - second]
    },
    gives: [1, 0],
  },
  {
    rule: '9.5',
    name: 'a generation is immutable, and one that does not exist is refused',
    deploys: true,
    run: async (org) => {
      const generation = await org.activeGeneration()
      const at = async (of: number) =>
        seen(
          await org.resolve(ann, { set: 'vat', key: 'AT', scope: {}, asOf: '2020-01-01', generation: of }),
          ({ values }) => values['rate'],
        )
      const before = await at(generation)
      done(await org.apply([rate('at', 'AT', '2000-01-01', null, '0.21')]))
      return [before, await at(generation), await at(generation + 1), await at(generation + 2)]
    },
    gives: ['0.2000', '0.2000', '0.2100', 'generation.not_found'],
  },
  {
    rule: '9.5',
    name: 'a binding records the generation and what was read',
    run: async (org) => {
      const generation = await org.activeGeneration()
      const question = {
        expression: 'config.vat("DE").rate',
        asOf: '2020-06-01',
        scope: { environment: 'prod' },
      }
      return seen(await org.evaluate(ann, question), ({ binding }) => {
        const { config, ...rest } = binding as { config: Record<string, string>; generation: number }
        const digests = Object.entries(config).map(([set, digest]) => [
          set,
          digest.replace(/[0-9a-f]{64}$/, ''),
        ])
        return { ...rest, generation: rest.generation === generation, digests }
      })
    },
    gives: {
      ...{ generation: true, asOf: '2020-06-01', functions: {}, scopePath: { environment: 'prod' } },
      digests: [['vat', 'jcs1:sha256:']],
    },
  },
]
