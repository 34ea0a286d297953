// The sources over a large org: what they report covers all of it.
import type { Locator, Page } from '@playwright/test'
import { expect, test, type Studio } from '../support/test.ts'
import { visit } from '../support/visit.ts'

const live = (page: Page): Locator => page.getByRole('region', { name: 'Live field' })
const box = (page: Page): Locator => live(page).locator('[part=input]')
const options = (page: Page): Locator => live(page).locator('[part=option]')
const sources = (page: Page): Locator => page.getByRole('list', { name: 'Sources from this org' })

const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }
const set = (key: string, body: object): object => ({
  ...{ type: 'config_set', key, label: key },
  body: {
    ...{ ...grants, scopes: ['org'], effectiveDated: true },
    ...body,
    fields: [{ key: 'rate', type: 'number', precision: 6, scale: 4, label: 'Rate' }],
  },
})
const ends = ['2000', '2010', '2020', null]
/** 400 territories with three ranges each. */
const duties = Array.from({ length: 400 }, (_, n) => `T${String(n).padStart(4, '0')}`).flatMap((key) =>
  ends.slice(0, 3).map((year, at) => ({
    ...{ type: 'config_entry', key: `vat_rate.${key.toLowerCase()}_${year}`, label: `${key} from ${year}` },
    body: {
      ...{ set: 'vat_rate', key, scope: { kind: 'org' }, effectiveFrom: `${year}-01-01` },
      effectiveTo: ends[at + 1] === null ? null : `${ends[at + 1]}-01-01`,
      values: { rate: `0.1${at}` },
    },
  })),
)

async function layLarge({ call }: Studio): Promise<void> {
  const components = [
    ...Array.from({ length: 13 }, (_, n) =>
      set(`a_set_${n}`, { cardinality: 'singleton', effectiveDated: false }),
    ),
    set('vat_rate', {
      cardinality: 'keyed',
      keyedBy: { key: 'territory', type: 'text' },
      asOfField: ['invoice.tax_point'],
    }),
    {
      type: 'object',
      key: 'invoice',
      label: 'Invoice',
      body: { fields: [{ key: 'tax_point', type: 'date', label: 'Tax point', required: true }] },
    },
    ...duties,
  ]
  await call('POST', '/metadata/v3/apply', { components, rationale: 'A large org' })
}

test('a keyed set is offered behind any number of others, and the details of a key cover all its entries', async ({
  studio,
}) => {
  test.setTimeout(120_000)
  const { page } = studio
  await layLarge(studio)
  await page.goto(
    `${studio.url}/lookup?source=keys:vat_rate&mode=edit&label=T&display-fields=value,since,entries`,
  )
  await expect(sources(page).getByRole('listitem').filter({ hasText: 'vat_rate' })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await box(page).fill('t0333')
  await expect(options(page)).toHaveText([/^T0333.*rate 0\.12.*since 2020-01-01.*3 entries/])
  // A page of the server ends in the middle of this key.
  await visit(page, `${studio.url}/lookup?source=keys:vat_rate&mode=edit&label=T&match-fields=entries`)
  await box(page).fill('1 entry')
  await expect(live(page).getByRole('option')).toHaveText(['No matches for “1 entry”'])
  await box(page).fill('3 entries')
  await expect(options(page).first()).toHaveAttribute('aria-setsize', '400')
  // A URL that names another source does not search this one instead.
  await visit(page, `${studio.url}/lookup?source=keys:a_set_3&mode=edit&label=T`)
  await expect(live(page)).toContainText('This source does not exist yet')
  await box(page).fill('a')
  await expect(live(page).getByRole('option')).toHaveText([/The search failed/])
})

test('matches are found behind many pages without any', async ({ studio }) => {
  test.setTimeout(120_000)
  const { page } = studio
  await layLarge(studio)
  await page.route('**/metadata/v3/components?*limit=1000*', (route) =>
    route.continue({ url: route.request().url().replace('limit=1000', 'limit=40') }),
  )
  await page.goto(`${studio.url}/lookup?source=components&mode=edit&label=C&match-fields=type`)
  await box(page).fill('config set')
  await expect(options(page).first()).toContainText('a_set_0')
  await box(page).fill('object')
  await expect(options(page).first()).toContainText('invoice')
})
