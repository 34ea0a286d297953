// An org as large as the bounds promise: 100,000 entries, 10,000 drafts, a long history, and everything else that
// accumulates.
import { initSample } from '../../server/compose/sample.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { openOrg, type OpenedOrg } from '../../server/compose/open-org.ts'
import { fileText, type ApplyRequest, type Org } from '../../server/pipeline/index.ts'
import { draftTable } from '../../server/ports/draft-table.ts'
import type { Component } from '#kernel/components/body-types.ts'
import { tariff, tariffEntries, tariffSet } from '../bench/support/tariff.ts'

/** For each, at least half of what the default bounds allow an org to have. */
export const largeOrgTerms = { keys: 20_000, ranges: 5, drafts: 10_000, generations: 1000, results: 2000, requests: 200, users: 500 }

/** Its large set. */
export const largeSet = 'tariff'

/** A set that is only in a change request. */
const plannedSet = 'planned'

const at = '2026-01-01T00:00:00.000Z'

/** `root`: of the checkout. */
export async function makeLargeOrg(dir: string, root: string): Promise<void> {
  await initSample(dir, { root })
  const org = openOrg(dir)
  const keys = tariff(largeOrgTerms.keys, largeOrgTerms.ranges, false)
  const entries = tariffEntries(largeSet, keys).map(withCurrency)
  await addUsers(org)
  await addHistory(org, entries)
  await addRequests(org, entries)
  await apply(org, entries)
  // The generation with all the entries is not the active one, so that it is also read as an older one.
  await apply(org, [withRate(entries.at(-1)!, '1.25')])
  await addDrafts(org, entries)
  await addResults(org)
  // A change list with a new set is checked for renames.
  await addRequest(org, [tariffSet(plannedSet, ['org']), ...tariffEntries(plannedSet, keys)])
  await addRequest(org, entries.filter((_, turn) => turn % 10 === 0).map((entry) => withRate(entry, '3.75')))
  await org.close()
}

interface Entry {
  key: string
  body: { values: object }
}

/** A value of a value set that every entry refers to. */
function withCurrency(entry: object): Entry {
  const { body, ...rest } = entry as Entry
  return { ...rest, body: { ...body, values: { ...body.values, currency: 'EUR' } } }
}

function withCurrencyField(set: object): object {
  const { body, ...rest } = set as { body: { fields: object[] } }
  return { ...rest, body: { ...body, fields: [...body.fields, { key: 'currency', type: 'enum', valueSet: 'currency' }] } }
}

function withRate({ body, ...rest }: Entry, rate: string): Entry {
  return { ...rest, body: { ...body, values: { ...body.values, rate } } }
}

async function apply(org: Org, components: readonly object[]): Promise<void> {
  const { refused, findings } = await org.apply(requestOf(components))
  if (refused) throw new Error(JSON.stringify(findings.slice(0, 3)))
}

function requestOf(components: readonly object[]): ApplyRequest {
  return { source: { kind: 'components', components }, actor: 'admin', rationale: 'Measured.', most: 1 }
}

/** Before the entries, because a small org is quick to change. */
async function addHistory(org: Org, entries: readonly Entry[]): Promise<void> {
  await apply(org, [withCurrencyField(tariffSet(largeSet, ['environment', 'org']))])
  const open = entries[largeOrgTerms.ranges - 1]!
  for (let turn = 0; turn < largeOrgTerms.generations; turn += 1)
    await apply(org, [withRate(open, `${turn}.5`)])
}

/** Before the entries, for the same reason as the history. */
async function addRequests(org: OpenedOrg, entries: readonly Entry[]): Promise<void> {
  const open = entries[largeOrgTerms.ranges - 1]!
  for (let turn = 0; turn < largeOrgTerms.requests; turn += 1)
    await addRequest(org, [withRate(open, `${turn}.75`)])
}

async function addRequest(org: OpenedOrg, components: readonly object[]): Promise<void> {
  const by = { actor: 'admin', correlationId: 'large' }
  await enginesOf(org).requests.create(by, { source: { kind: 'components', components }, most: 1 })
}

async function addDrafts(org: Org, entries: readonly Entry[]): Promise<void> {
  const generation = org.activeGeneration()
  await org.write((transactor) => {
    for (let turn = 0; turn < largeOrgTerms.drafts; turn += 1) {
      const entry = entries[turn * 7]!
      const id = `config_entry/${entry.key}` as const
      transactor[draftTable].put({
        id,
        text: fileText(withRate(entry, `${turn}.25`) as Component),
        baseDigest: transactor.components.digest(generation, id) ?? null,
        baseGeneration: generation,
        version: 1,
        author: turn % 2 === 0 ? 'admin' : 'mara',
        changedBy: 'admin',
        writers: [...new Set([turn % 2 === 0 ? 'admin' : 'mara', 'admin'])].map((user) => ({ user, operator: null })),
        updatedAt: at,
      })
    }
  })
}

async function addUsers(org: Org): Promise<void> {
  await org.write((transactor) => {
    for (let turn = 0; turn < largeOrgTerms.users; turn += 1)
      transactor.people.putUser({
        ...{ key: `user_${turn}`, name: `User ${turn}`, active: true, locale: null, passwordHash: null },
        groups: ['finance'],
        permissionSets: ['tax_reader'],
      })
  })
}

async function addResults(org: Org): Promise<void> {
  await org.write((transactor) => {
    const [sample, ...others] = transactor.results.list({ limit: 100 })
    // The history can be purged if no result binds it.
    for (const each of [sample!, ...others]) transactor.results.put({ ...each, state: 'archived' })
    const binding = { ...(sample!.binding as object), generation: org.activeGeneration() }
    for (let turn = 0; turn < largeOrgTerms.results; turn += 1)
      transactor.results.put({ ...sample!, binding, state: 'bound', id: org.ids.uuid(), label: `Result ${turn}` })
  })
}
