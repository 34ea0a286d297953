// A rate for next January from draft to revert, with an approver who sees the same review; three versions of a revert;
// searching the audit.
import type { Locator, Page } from '@playwright/test'
import { layBills } from './support/bills.ts'
import { layGround } from './support/ground.ts'
import { expect as plainly, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

const expect = plainly.configure({ timeout: 20_000 })
test.setTimeout(120_000)

const password = 'correct horse battery'
const january = `${new Date().getFullYear() + 1}-01-01`

const rate = (slug: string, from: string, to: string | null, value: string): object => ({
  type: 'config_entry',
  key: `vat_rate.${slug}`,
  label: `DE from ${from}`,
  body: {
    set: 'vat_rate',
    key: 'DE',
    scope: { kind: 'org' },
    effectiveFrom: from,
    effectiveTo: to,
    values: { rate: value },
  },
})
const next = `vat_rate.de_${january.replaceAll('-', '_')}`

/** Germany at 21 % from next January: two drafts, neither of which is valid without the other. */
async function draftJanuary({ call }: Studio): Promise<void> {
  for (const key of ['vat_rate.hr_2012_03_01', 'vat_rate.hr_2023_01_01'])
    await call('DELETE', `/setup/v3/drafts/config_entry/${key}`)
  const keep = (key: string, component: object): Promise<unknown> =>
    call('PUT', `/setup/v3/drafts/config_entry/${key}`, { text: JSON.stringify(component), version: 0 })
  await keep('vat_rate.de_2021_01_01', rate('de_2021_01_01', '2021-01-01', january, '0.19'))
  await keep(next, rate(next.slice('vat_rate.'.length), january, null, '0.21'))
}

const impactOf = (page: Page): Locator => page.getByRole('region', { name: 'Impact', exact: true })
const change = (page: Page, text: RegExp): Locator => page.locator('.chg').filter({ hasText: text })
/** The rail's link to the change requests, with the number that waits for this user. */
const waiting = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Activities' }).getByRole('link', { name, exact: true })
/** Goes to a URL as going back does, without loading the studio again. */
const goWithoutLoading = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: {} }))
  }, path)
const apply = ({ call }: Studio, components: object[]): Promise<{ generation: number }> =>
  call('POST', '/metadata/v3/apply', { components })

test.describe('with one approval required', () => {
  test.use({ people: [{ key: 'ines', name: 'Ines', password }] })

  test('a rate of next January is submitted, approved with its impact in view, applied and reverted', async ({
    studio,
    browser,
  }) => {
    const { page } = studio
    await layGround(studio)
    await draftJanuary(studio)
    await studio.call('PUT', '/setup/v3/approvals', { required: 1 })
    await page.goto(`${studio.url}/changes`)
    await expect(impactOf(page)).toContainText('0.2100')
    const seen = await impactOf(page).getByRole('table').allInnerTexts()
    await page.getByRole('textbox', { name: 'Rationale' }).fill('The law of January')
    await page.getByRole('button', { name: 'Submit 2 changes for approval' }).click()
    await expect(page.getByRole('region', { name: 'Submitted' })).toBeVisible()
    // An own request does not wait for its author.
    await expect(waiting(page, 'Change requests')).toBeVisible()

    const context = await browser.newContext()
    await context.request.post(`${studio.url}/session/password`, {
      data: { user: 'ines', password },
      headers: { origin: studio.url },
    })
    const ines = await context.newPage()
    await ines.goto(studio.url)
    await waiting(ines, 'Change requests, one is waiting for your approval').click()
    await ines.getByRole('link', { name: 'The law of January' }).first().click()
    await expect(impactOf(ines)).toContainText('0.2100')
    expect(await impactOf(ines).getByRole('table').allInnerTexts()).toEqual(seen)
    await ines.getByRole('button', { name: /^Approve/ }).click()
    await expect(ines.getByRole('button', { name: 'Approved by you' })).toBeVisible()
    await expect(waiting(ines, 'Change requests')).toBeVisible()
    await ines.getByRole('button', { name: 'Apply the request' }).click()
    await expect(ines.getByText('It became generation 3.')).toBeVisible()

    await visit(page, `${studio.url}/generations/3`)
    await page.getByRole('link', { name: 'Revert generation 3…' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Revert generation 3' })).toBeVisible()
    await expect(change(page, /0\.2100/)).toContainText('removed')
    await expect(impactOf(page)).toContainText('0.1900')
    await page.getByRole('textbox', { name: 'Rationale' }).fill('The law was withdrawn')
    await page.getByRole('button', { name: 'Submit for approval' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Revert generation 3' })).toBeVisible()
    await waiting(ines, 'Change requests, one is waiting for your approval').click()
    await ines.getByRole('link', { name: 'Revert generation 3' }).first().click()
    await expect(impactOf(ines)).toContainText('0.1900')
    await ines.getByRole('button', { name: /^Approve/ }).click()
    await ines.getByRole('button', { name: 'Apply the request' }).click()
    await expect(ines.getByText('It became generation 4.')).toBeVisible()
    await context.close()
    await visit(page, `${studio.url}/generations/4`)
    await expect(page.getByRole('heading', { level: 1, name: 'Generation 4' })).toBeVisible()
    const resolved = await studio.call<{ values: { rate: string } }>('POST', '/setup/v3/resolve', {
      ...{ set: 'vat_rate', key: 'DE', asOf: january },
    })
    expect(resolved.values.rate).toBe('0.1900')
  })
})

test('a restore that loses values of records waits until its author confirms it', async ({ studio }) => {
  const { page, call } = studio
  await layBills(studio)
  const { active } = await call<{ active: number }>('GET', '/metadata/v3/generations?limit=1')
  type Read = { component: { body: { fields: never } } }
  const read = (id: string): Promise<Read> => call('GET', `/metadata/v3/components/${id}`)
  const { component: payer } = await read('object/payer')
  const { component: administrator } = await read('permission_set/administrator')
  const fields: object[] = [...(payer.body.fields as object[]), { key: 'phone', type: 'text' }]
  const grants = { ...(administrator.body.fields as object), 'payer.phone': { read: true, edit: true } }
  await apply(studio, [
    { ...payer, body: { ...payer.body, fields } },
    { ...administrator, body: { ...administrator.body, fields: grants } },
  ])
  await call('POST', '/data/v3/payer', { name: 'Ada', phone: '1' })

  await page.goto(`${studio.url}/restore/${active}`)
  const button = page.getByRole('button', { name: `Restore generation ${active}` })
  await expect(change(page, /phone in 1 record would be lost/)).toBeVisible()
  await expect(button).toBeDisabled()
  await page.getByRole('checkbox', { name: 'Confirm the losses of payer' }).check()
  await expect(change(page, /phone in 1 record are lost/)).toBeVisible()
  await button.click()
  await expect(page.getByRole('heading', { level: 1, name: `Generation ${active + 2}` })).toBeVisible()
})

test('a generation is restored after a review of everything that it undoes', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  const { generation } = await apply(studio, [rate('de_2021_01_01', '2021-01-01', null, '0.20')])
  await page.goto(`${studio.url}/generations/${generation - 1}`)
  const restore = page.getByRole('link', { name: `Restore generation ${generation - 1}…` })
  await expect(restore).toHaveAttribute('title', `Undo everything after ${generation - 1}`)
  await restore.click()
  await expect(change(page, /0\.2000/)).toContainText('0.1900')
  await page.getByRole('button', { name: `Restore generation ${generation - 1}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Generation ${generation + 1}` })).toBeVisible()

  // What does not exist cannot be tried again; the page leads to the generations instead.
  for (const [path, title] of [
    ['/restore/99', 'Generation 99 cannot be restored'],
    ['/revert/1', 'Generation 1 cannot be reverted'],
    ['/revert/abc', 'Generation abc cannot be reverted'],
    ['/generations/99', 'Generation 99 does not exist'],
    ['/generations/1e1', 'Generation 1e1 does not exist'],
  ] as const) {
    await goWithoutLoading(page, path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    await expect(page.getByRole('button', { name: /Try again|^Restore|^Revert|Save as drafts/ })).toHaveCount(
      0,
    )
  }
  await page.getByRole('link', { name: 'Show the active generation' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Generation ${generation + 1}` })).toBeVisible()
})

test('a component that changed again is shown in three versions, and one change is saved as a draft', async ({
  studio,
}) => {
  const { page } = studio
  await layGround(studio)
  const { generation } = await apply(studio, [rate('de_2021_01_01', '2021-01-01', null, '0.20')])
  await apply(studio, [rate('de_2021_01_01', '2021-01-01', null, '0.22')])
  await page.goto(`${studio.url}/generations/${generation}`)
  await page.getByRole('row', { name: /0\.2000/ }).click()
  await page.getByRole('link', { name: 'Revert this change…' }).click()
  await expect(page.getByRole('alert').filter({ hasText: '1 component was changed again' })).toBeVisible()
  const versions = page.getByRole('region', { name: 'Resolve config_entry/vat_rate.de_2021_01_01' })
  await expect(versions).toContainText('0.2200')
  await versions.getByRole('button', { name: `Before ${generation}` }).click()
  await versions.getByRole('button', { name: 'Keep the chosen versions' }).click()
  await expect(change(page, /0\.2200/)).toContainText('0.1900')
  await page.getByRole('button', { name: 'Save as drafts' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Changes' })).toBeVisible()
  await expect(change(page, /0\.2200/)).toContainText('0.1900')
})

test('the audit is searched by words and days, its filter is in the URL, and it is exported', async ({
  studio,
}) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/audit`)
  await page.getByRole('textbox', { name: 'Search' }).fill('vat_rate de_2021')
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await expect(page).toHaveURL(/search=vat_rate\+de_2021|search=vat_rate%20de_2021/)
  const rows = page.getByRole('region', { name: 'Audit rows' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('config_entry/vat_rate.de_2021_01_01')
  await page.getByLabel('To', { exact: true }).fill('2020-01-01')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No audit row matches.')).toBeVisible()
  await page.getByRole('button', { name: 'Clear' }).click()
  const from = page.getByRole('textbox', { name: 'From' })
  await from.fill('24.11.2126')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('23 Nov 2126')
  await expect(
    page.getByRole('alert').filter({ hasText: 'From is after To. Enter an earlier From or a later To.' }),
  ).toBeVisible()
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('')
  await from.fill('')
  await page.getByLabel('Who').fill('admin')
  await page.keyboard.press('Enter')
  await expect(rows.nth(1)).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  expect((await saved).suggestedFilename()).toBe('audit.csv')
})
