// Fills a new org: users, components, stored results, records, and a second generation.
import { addDays, parseCivilDate, type CivilDate } from '#kernel/dates/civil-date.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Access, Actor } from '../access/index.ts'
import type { EvaluationEngine } from '../evaluation/index.ts'
import type { Org } from '../pipeline/index.ts'
import type { Records } from '../records/index.ts'
import type { ChangeRequests } from '../requests/index.ts'
import { saveSampleRecords } from './sample-records.ts'
import { rateOfNextYear, sampleComponents } from './sample-components.ts'

export const sampleName = 'Kestrel Optics'

export interface SampleDeps {
  org: Org
  access: Access
  evaluation: EvaluationEngine
  requests: ChangeRequests
  records: Records
}

const people = [
  { key: 'mara', name: 'Mara Lindqvist', groups: ['finance'], permissionSets: ['tax_author'] },
  { key: 'jon', name: 'Jon Abara', groups: ['finance'], permissionSets: ['tax_reader', 'billing_clerk'] },
  { key: 'hooks', name: 'Deliveries', groups: [], permissionSets: ['payment_hooks'] },
]

/** In production, no user can approve their own change, so there is a second user who can. */
const approver = { key: 'ines', name: 'Ines Kovač', groups: ['finance'], permissionSets: ['administrator'] }

/** @param dir the component files of the sample, in the layout of a retrieve */
export async function fillSample(
  { org, access, evaluation, requests, records }: SampleDeps,
  dir: string,
): Promise<void> {
  const by: Actor = { actor: 'admin', correlationId: org.ids.uuid() }
  const today = parseCivilDate(org.clock.today())!
  const components = sampleComponents(dir, today)
  await access.putGroup(by, { key: 'finance', name: 'Finance' })
  for (const { key, name, groups } of people) await access.addUser(by, { key, name, groups })
  await apply(org, by, components, 'The VAT rates, prices and pages of the sample.')
  for (const { key, permissionSets } of people) await access.changeUser(by, key, { permissionSets })
  await storeResults(evaluation, by, today)
  await saveSampleRecords({ org, records }, by, today)
  await apply(org, by, rateOfNextYear(components, today), 'Germany’s rate for next year (invented).')
  if (org.facts().environment !== 'prod') return
  await access.addUser(by, approver)
  await requests.setRequiredApprovals(by, 1)
}

async function apply(
  org: Org,
  { actor, correlationId }: Actor,
  components: readonly Component[],
  rationale: string,
): Promise<void> {
  const { refused, findings } = await org.apply({
    source: { kind: 'components', components },
    actor,
    correlationId,
    rationale,
  })
  if (refused) throw new AlmanacError('deploy.invalid', 'The sample contains errors.', { details: findings })
}

/** Bound to the first rates: the second generation changes what the last of them recomputes to. */
async function storeResults(evaluation: EvaluationEngine, by: Actor, today: CivilDate): Promise<void> {
  const nextYear = Number(today.slice(0, 4)) + 1
  const amount = (value: string) => ({ amount: { type: 'number', value } })
  const results = [
    {
      store: 'Invoice 1041, VAT',
      expression: 'round(amount * config.vat_rate("FR").rate, 2)',
      inputs: amount('1250.00'),
      asOf: addDays(today, -40),
    },
    {
      store: 'Invoice 1042, gross',
      expression: 'gross(amount, config.vat_rate("FI").rate)',
      inputs: amount('830.40'),
      asOf: addDays(today, -12),
    },
    {
      store: `Offer 77, gross in ${nextYear}`,
      expression: 'gross(amount, config.vat_rate("DE").rate)',
      inputs: amount('19999.00'),
      asOf: `${nextYear}-02-01`,
    },
  ]
  for (const result of results) await evaluation.evaluate(by, result)
}
