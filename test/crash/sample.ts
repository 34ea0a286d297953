// The org of the crash tests: one set whose entries all have the same number, so that a partial apply is obvious.
import { initOrg } from '../../server/compose/open-org.ts'
import { fee, feeSet } from '../support/fees.ts'

export const ENTRIES = 40

/** A change list after which every entry has `value`, and a calc function that returns it. */
export function changesTo(value: number): unknown[] {
  const entries = Array.from({ length: ENTRIES }, (_, index) =>
    fee(`k${index}`, String(value), { key: `K${index}`, label: `Fee ${index}` }),
  )
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
  const components = [feeSet(), ...changesTo(0)]
  await org.apply({ source: { kind: 'components', components }, actor: 'admin' })
  await org.close()
}
