// The org of the crash tests: one set whose entries all carry one number, so that half an apply is seen at once.
import { initOrg } from '../../server/compose.ts'

export const ENTRIES = 40

/** A change list after which every entry carries `value`, and a calc function too. */
export function changesTo(value: number): unknown[] {
  const entries = Array.from({ length: ENTRIES }, (_, index) => ({
    type: 'config_entry',
    key: `fee.k${index}`,
    label: `Fee ${index}`,
    body: { set: 'fee', key: `K${index}`, scope: { kind: 'org' }, values: { amount: String(value) } },
  }))
  const pure = {
    type: 'calc_function',
    key: 'doubled',
    label: `Doubled ${value}`,
    body: { params: [{ key: 'x', type: 'number' }], returns: 'number', expression: `x * 2 + ${value}` },
  }
  return [...entries, pure]
}

/** An org at generation 2, all entries at 0. */
export async function makeOrg(dir: string): Promise<void> {
  const org = initOrg(dir, { name: 'Crash', environment: 'test' })
  const set = {
    type: 'config_set',
    key: 'fee',
    label: 'Fee',
    body: {
      cardinality: 'keyed',
      keyedBy: { key: 'name', type: 'text' },
      scopes: ['org'],
      edit: { administrator: 'edit' },
      fields: [{ key: 'amount', type: 'number', precision: 12, scale: 2, required: true }],
    },
  }
  const components = [set, ...changesTo(0)]
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await org.close()
}
