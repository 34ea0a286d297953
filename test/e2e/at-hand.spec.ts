// What a user is working on stays in place: rows under a filter, the selection in the list of changes, the explanation
// of a state.
import type { Browser, Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const password = 'correct horse battery'
const grants = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }

function fee(country: string): object {
  const body = { set: 'fee', key: country, scope: { kind: 'org' }, effectiveFrom: '2020-01-01' }
  const values = { amount: '4.90', currency: 'EUR' }
  const key = `fee.${country.toLowerCase()}`
  return { type: 'config_entry', key, label: country, body: { ...body, effectiveTo: null, values } }
}

/** A dated set with a field of a value set, which the sheet reads in addition to the rows. */
async function layFees({ call }: Studio): Promise<void> {
  const fields = [
    { key: 'amount', type: 'number', precision: 8, scale: 2, required: true, label: 'Amount' },
    { key: 'currency', type: 'enum', valueSet: 'currency', required: true, label: 'Currency' },
  ]
  const body = { ...grants, cardinality: 'keyed', keyedBy: { key: 'country', type: 'text' }, scopes: ['org'] }
  await call('POST', '/metadata/v3/apply', {
    components: [
      {
        type: 'config_set',
        key: 'fee',
        label: 'Fee',
        body: { ...body, effectiveDated: true, asOfField: ['invoice.tax_point'], fields },
      },
      ...['AT', 'BE', 'DE', 'FR'].map(fee),
    ],
    rationale: 'Fees',
  })
}

async function openAs(browser: Browser, { url }: Studio, user: string, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(url + path)
  await page.getByLabel('User').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

test('a row that does not match the filter stays in place after it is saved as a draft', async ({
  studio,
}) => {
  const { page, url } = studio
  await layGround(studio)
  await layFees(studio)
  await page.goto(`${url}/c/config_set/fee`)
  await page.getByPlaceholder('Filter entries').fill('DE')
  const foot = page.locator('.sheet-foot')
  await expect(foot).toContainText('1 of 4 entries')
  await page.getByRole('button', { name: /New value from/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('country').fill('FR')
  await dialog.getByLabel('First day').fill('2027-01-01')
  // As in a cell, a decimal comma is accepted.
  await dialog.getByLabel('Amount').fill('7,50')
  await expect(dialog).toContainText('4.90 → 7.50')
  // After each save of drafts, the sheet reads the data of its cells again.
  const readAgain = page.waitForResponse((response) => response.url().includes('/value_set/currency'))
  await page.keyboard.press('Enter')
  await expect(foot).toContainText('Two drafts saved')
  const drafted = page.getByRole('row').filter({ hasText: '7.50' })
  await expect(drafted).toBeVisible()
  await readAgain
  await expect(foot).toContainText('2 of 5 entries')
  await expect(foot).toContainText('Row 2')
  await expect(drafted).toBeVisible()
})

test('the selection moves next to a draft that is discarded, never to the top', async ({ studio }) => {
  const { page, url, call } = studio
  await layGround(studio)
  for (const country of ['LV', 'LT', 'PL']) {
    const key = `vat_rate.${country.toLowerCase()}`
    const body = { set: 'vat_rate', key: country, scope: { kind: 'org' }, values: { rate: '0.2' } }
    const text = JSON.stringify({
      ...{ type: 'config_entry', key, label: country },
      body: { ...body, effectiveFrom: '2020-01-01', effectiveTo: null },
    })
    await call('PUT', `/setup/v3/drafts/config_entry/${key}`, { text, version: 0 })
  }
  await page.goto(`${url}/changes`)
  const row = (country: string) => page.locator('.chg').filter({ hasText: `${country}, org` })
  await row('LT').getByRole('checkbox').focus()
  await page.keyboard.press('Delete')
  await expect(row('LT')).toHaveCount(0)
  await expect(row('LV').getByRole('checkbox')).toBeFocused()

  await row('LV').click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('menuitem', { name: 'Discard vat_rate.lv' }).click()
  await expect(row('LV')).toHaveCount(0)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('menuitem', { name: 'Discard vat_rate.pl' })).toBeVisible()
})

test('the list of changes shows its author who rejected it and why, and it can be submitted again', async ({
  studio,
  browser,
}) => {
  const { page, url, call } = studio
  await layGround(studio)
  await call('POST', '/setup/v3/users', {
    ...{ key: 'ines', name: 'Ines Kovač', groups: [], permissionSets: ['administrator'], password },
  })
  await call('PUT', '/setup/v3/approvals', { required: 1 })
  await page.goto(`${url}/changes`)
  await page.getByRole('textbox', { name: 'Title' }).fill('Croatia')
  await page.locator('#submit').click()
  await expect(page.getByText(/Change request “Croatia” was submitted/)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveCount(0)

  const ines = await openAs(browser, studio, 'ines', '/requests')
  await ines.getByRole('link', { name: 'Croatia' }).first().click()
  await ines.locator('#request-words').fill('The first day is wrong.')
  await ines.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(ines.getByText('rejected', { exact: true })).toBeVisible()

  const note = page.getByRole('status').filter({ hasText: 'Ines Kovač rejected “Croatia”' })
  await expect(note).toContainText('The first day is wrong.')
  await expect(page.locator('#submit')).toBeVisible()
  await page.reload()
  await expect(note).toContainText('The first day is wrong.')
  await page.getByRole('textbox', { name: 'Title' }).fill('Croatia again')
  await page.locator('#submit').click()
  await expect(page.getByText(/Change request “Croatia again” was submitted/)).toBeVisible()
  await expect(note).toHaveCount(0)

  // An approver's comment is shown, and so is the reason why an approval is no longer valid.
  await ines.goto(`${url}/requests`)
  await ines.getByRole('link', { name: 'Croatia again' }).first().click()
  await ines.locator('#request-words').fill('Right now.')
  await ines.getByRole('button', { name: 'Approve', exact: true }).click()
  const comment = ines.getByRole('region', { name: 'Approvals', exact: true }).getByText('Right now.')
  await expect(comment).toHaveCSS('opacity', '1')
  await ines.context().close()
})

test('a flag shows why it cannot be changed', async ({ studio }) => {
  const { page, url } = studio
  await layGround(studio)
  const { call } = studio
  const flag = await call<{ component: { body: object } }>(
    'GET',
    '/metadata/v3/components/feature_flag/split_payment',
  )
  await call('POST', '/metadata/v3/apply', {
    components: [
      {
        ...flag.component,
        body: { ...flag.component.body, edit: {} },
      },
    ],
    rationale: 'Nobody edits it',
  })
  await page.goto(`${url}/flags/split_payment`)
  const why = page.getByText(/To change it you need config\.author/)
  await expect(why).toBeVisible()
  const shown = why.locator('xpath=ancestor::p')
  await expect(shown).toHaveCSS('opacity', '1')
  await expect(shown).toHaveCSS('position', 'static')
})

test('the inspector shows the history of a component to users who cannot read the audit', async ({
  studio,
  browser,
}) => {
  const { call } = studio
  await layGround(studio)
  const { component } = await call<{ component: { body: object; label: string; type: string; key: string } }>(
    'GET',
    '/metadata/v3/components/config_set/vat_rate',
  )
  await call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'permission_set', key: 'reader', label: 'Reader', body: {} },
      { ...component, body: { ...component.body, read: { administrator: 'read', reader: 'read' } } },
    ],
    rationale: 'A reader',
  })
  await call('POST', '/setup/v3/users', {
    ...{ key: 'rita', name: 'Rita', groups: [], permissionSets: ['reader'], password },
  })
  const page = await openAs(browser, studio, 'rita', '/c/config_set/vat_rate')
  const inspector = page.getByRole('complementary', { name: 'Inspector' })
  await expect(inspector).toContainText('added by')
  await expect(inspector).not.toContainText('No history yet')
  await page.context().close()
})
