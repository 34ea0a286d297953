// The review page: part of a list with what it needs, three versions, impact, a long list, two users, all with the
// keyboard.
import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect as plainly, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

// The list is validated by a server on a machine that runs other tests too.
const expect = plainly.configure({ timeout: 20_000 })
test.setTimeout(120_000)

const password = 'correct horse battery'

interface Envelope {
  type: string
  key: string
  label: string
  body: object
}

function rate(slug: string, from: string, to: string | null, value: string): Envelope {
  const values = { rate: value }
  const body = {
    set: 'vat_rate',
    key: 'DE',
    scope: { kind: 'org' },
    effectiveFrom: from,
    effectiveTo: to,
    values,
  }
  return { type: 'config_entry', key: `vat_rate.${slug}`, label: `DE from ${from}`, body }
}

const keep = ({ call }: Studio, component: Envelope, version = 0): Promise<unknown> =>
  call('PUT', `/setup/v3/drafts/${component.type}/${component.key}`, {
    text: JSON.stringify(component, null, 2),
    version,
  })

/** Germany at 21 % from 2027: two drafts, neither of which is valid without the other. */
async function draftGermany(studio: Studio): Promise<void> {
  for (const key of ['vat_rate.hr_2012_03_01', 'vat_rate.hr_2023_01_01'])
    await studio.call('DELETE', `/setup/v3/drafts/config_entry/${key}`)
  await keep(studio, rate('de_2021_01_01', '2021-01-01', '2027-01-01', '0.19'))
  await keep(studio, rate('de_2027_01_01', '2027-01-01', null, '0.21'))
}

const currency = (label: string, ...keys: string[]) => ({
  type: 'value_set',
  key: 'currency',
  label,
  body: { values: keys.map((key) => ({ key, label: key })) },
})

const box = (page: Page, name: RegExp): Locator => page.getByRole('checkbox', { name })

test('a selection includes what it needs, and explains why', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await draftGermany(studio)
  await keep(studio, currency('Money', 'EUR'))
  await page.goto(`${studio.url}/changes`)
  await expect(page.locator('#apply')).toHaveText('Apply 3 changes')
  await box(page, /currency|Currency|Money/)
    .last()
    .uncheck()
  await expect(page.locator('#apply')).toHaveText('Apply 2 changes')

  // The new rate needs the end of the old one, which is therefore included.
  await box(page, /last day of 0.1900/).click()
  const row = page.getByRole('row').filter({ hasText: 'last day of 0.1900' })
  await expect(row).toContainText('Included automatically')
  await expect(row).toContainText('both apply from 1 Jan 2027')
  await expect(box(page, /last day of 0.1900/)).toBeChecked()
  await expect(page.locator('#apply')).toHaveText('Apply 2 changes')
  await row.getByRole('button', { name: 'Exclude both' }).click()
  await expect(page.getByText('No change is ticked.')).toBeVisible()

  await page.getByRole('checkbox', { name: 'All of vat_rate entries' }).check()
  await page.getByRole('textbox', { name: 'Rationale' }).fill('The law of 2026')
  await page.getByRole('button', { name: 'Apply 2 changes' }).click()
  const report = page.getByRole('region', { name: 'Applied' })
  await expect(report).toContainText('is active: 2 changes')
  await expect(report.getByRole('table')).toContainText('config_entry/vat_rate.de_2027_01_01')
  await expect(report.getByRole('link', { name: 'Revert generation 3…' })).toBeVisible()
  const { drafts } = await studio.call<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')
  expect(drafts.map(({ id }) => id)).toEqual(['value_set/currency'])
})

test('a finding in a component outside the list names the component and the place', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  const view = { object: 'invoice', columns: ['number', 'net'] }
  const list = { type: 'list_view', key: 'open', label: 'Open', body: view }
  await studio.call('POST', '/metadata/v3/apply', { components: [list], rationale: 'A list' })
  const { component } = await studio.call<{ component: Envelope & { body: { fields: { key: string }[] } } }>(
    'GET',
    '/metadata/v3/components/object/invoice',
  )
  const fields = component.body.fields.filter(({ key }) => key !== 'number')
  await keep(studio, { ...component, body: { ...component.body, fields } })
  await page.goto(`${studio.url}/changes`)
  const elsewhere = page.getByRole('region', { name: 'Findings elsewhere' })
  await expect(elsewhere).toContainText('list_view/open, Columns, 1')
})

test('impact lists readers, days, stored results and flips, and the review can be exported', async ({
  studio,
}) => {
  const { page } = studio
  await layGround(studio)
  await draftGermany(studio)
  const { component } = await studio.call<{ component: Envelope }>(
    'GET',
    '/metadata/v3/components/feature_flag/split_payment',
  )
  await keep(studio, { ...component, body: { ...component.body, default: true } })
  await keep(studio, rate('de_2021_01_01', '2021-01-01', '2027-01-01', '0.20'), 1)
  await page.goto(`${studio.url}/changes`)
  const impact = page.getByRole('region', { name: 'Impact', exact: true })
  await expect(impact).toContainText('Read by 1 object')
  await expect(impact).toContainText('The stored result would change if recomputed')
  await expect(impact.getByRole('row', { name: /Invoice 21077/ })).toContainText('168')
  await expect(impact.getByRole('row', { name: /Split payment.*everyone/ })).toContainText('on')
  await expect(impact.getByRole('table', { name: 'Values by day' })).toContainText('from 1 Jan 2027')

  await page.getByRole('button', { name: 'Export' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Save as one HTML file' }).click()
  const text = readFileSync(await (await saved).path(), 'utf8')
  expect(text).toContain('VAT rate by territory, DE, org')

  // The print dialog belongs to the browser; it receives the same document. Without a dialog, as without a screen, the
  // frame is removed as soon as it was printed.
  const printed = page.evaluate(
    () =>
      new Promise<string>((done) => {
        new MutationObserver((_changes, observer) => {
          const frame = document.querySelector<HTMLIFrameElement>('iframe[title="Review of the changes"]')
          if (frame === null) return
          observer.disconnect()
          done(frame.srcdoc)
        }).observe(document.body, { childList: true })
      }),
  )
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /save as PDF/ }).click()
  expect(await printed).toContain('VAT rate by territory, DE, org')
  await expect(page.getByText('The print dialog can save it as PDF.')).toBeVisible()
})

test('what changed under a draft is resolved place by place, and blocks nothing else', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await draftGermany(studio)
  await keep(studio, currency('My money', 'EUR', 'CHF'))
  await studio.call('POST', '/metadata/v3/apply', { components: [currency('Their money', 'EUR', 'SEK')] })
  await page.goto(`${studio.url}/changes`)
  const form = page.getByRole('region', { name: 'Resolve value_set/currency' })
  await expect(form).toContainText('1 field was changed by both')
  await expect(page.locator('#apply')).toHaveText('Apply 2 changes')
  const keepIt = form.getByRole('button', { name: 'Keep the chosen versions' })
  await expect(keepIt).toBeDisabled()
  await form.getByRole('radio', { name: 'Label, Mine: My money' }).check()
  await keepIt.click()
  await expect(form).toBeHidden()
  await expect(page.locator('#apply')).toHaveText('Apply 3 changes')
  const { drafts } = await studio.call<{ drafts: { id: string; text: string }[] }>('GET', '/setup/v3/drafts')
  const settled = JSON.parse(drafts.find(({ id }) => id === 'value_set/currency')!.text) as {
    label: string
    body: { values: { key: string }[] }
  }
  expect([settled.label, ...settled.body.values.map(({ key }) => key)]).toEqual([
    'My money',
    'EUR',
    'SEK',
    'CHF',
  ])
})

test('everything on the page can be done with the keyboard alone', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await draftGermany(studio)
  await keep(studio, currency('Money', 'EUR'))
  await page.goto(`${studio.url}/changes`)
  await expect(page.locator('#apply')).toHaveText('Apply 3 changes')
  await page.getByRole('checkbox', { name: 'All changes' }).focus()
  await page.keyboard.press('Tab')
  const here = page.locator(':focus')
  await expect(here).toHaveAccessibleName('All of vat_rate entries')
  // None, one, a range, all.
  await page.keyboard.press('Control+Shift+a')
  await expect(page.getByText('No change is ticked.')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(here).toBeChecked()
  await page.keyboard.press('Shift+ArrowDown')
  await expect(page.locator('#apply')).toHaveText('Apply 2 changes')
  await page.keyboard.press('End')
  await expect(here).toHaveAccessibleName(/Money|currency/i)
  await expect(here).not.toBeChecked()
  await page.keyboard.press('Control+a')
  await expect(page.locator('#apply')).toHaveText('Apply 3 changes')
  // Into the row and back, the text and out of it again.
  await page.keyboard.press('ArrowRight')
  await expect(here).toHaveRole('link')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  const text = page.getByRole('region', { name: 'Text of the change' })
  await expect(text.locator('.view-lines').last()).toContainText('Money')
  await page.getByRole('button', { name: 'Close the text' }).press('Enter')
  await expect(text).toBeHidden()
  await page.getByRole('textbox', { name: 'Rationale' }).focus()
  await page.keyboard.type('By hand')
  await page.keyboard.press('Control+Shift+Enter')
  await expect(page.locator('#apply')).toBeFocused()
  await expect(page.locator('#apply')).toBeEnabled()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Applied' })).toContainText('is active: 3 changes')
})

test('ten thousand changes are listed, including the last one', async ({ studio }) => {
  const { page } = studio
  await studio.call('POST', '/metadata/v3/apply', {
    components: [
      {
        ...{ type: 'config_set', key: 'price', label: 'Price' },
        body: {
          ...{ cardinality: 'keyed', keyedBy: { key: 'sku', type: 'text' }, scopes: ['org'] },
          fields: [{ key: 'amount', type: 'number', precision: 12, scale: 2, required: true }],
          ...{ read: { administrator: 'read' }, edit: { administrator: 'edit' } },
        },
      },
    ],
  })
  const number = (at: number): string => String(at).padStart(5, '0')
  const drafts = Array.from({ length: 10_000 }, (_, at) => {
    const key = `price.s${number(at)}`
    const body = { set: 'price', key: `S${number(at)}`, scope: { kind: 'org' }, values: { amount: `${at}` } }
    const text = JSON.stringify({ type: 'config_entry', key, label: key, body })
    return { id: `config_entry/${key}`, version: 0, text }
  })
  await studio.call('PUT', '/setup/v3/drafts', { drafts })
  await page.goto(`${studio.url}/changes`)
  await expect(page.getByRole('row', { name: /Price, S00001, org/ })).toContainText('1.00')
  const grid = page.getByRole('grid', { name: 'List of changes, 10000 changes' })
  await expect(grid).toHaveAttribute('aria-rowcount', '10002')
  await page.getByRole('checkbox', { name: 'All of price entries' }).focus()
  await page.keyboard.press('End')
  await expect(page.getByRole('row', { name: /Price, S09999, org/ })).toContainText('9999.00')
  expect(await grid.getByRole('row').count()).toBeLessThan(120)
  await page.keyboard.press('Space')
  await expect(page.locator('#apply')).toHaveText('Apply 9,999 changes')
})

test.describe('with one approval required', () => {
  test.use({ people: [{ key: 'ines', name: 'Ines', password }] })

  test('two users: submitted, edited after an approval, approved again, applied, all live', async ({
    studio,
    browser,
  }) => {
    const { page } = studio
    await layGround(studio)
    await draftGermany(studio)
    await studio.call('PUT', '/setup/v3/approvals', { required: 1 })
    await page.goto(`${studio.url}/changes`)
    await page.getByRole('textbox', { name: 'Rationale' }).fill('The law of 2026')
    await page.getByRole('textbox', { name: 'Title' }).fill('Germany at 21')
    await page.getByRole('button', { name: 'Submit 2 changes for approval' }).click()
    await expect(page.getByRole('region', { name: 'Submitted' })).toContainText(
      'It is waiting for 1 approval.',
    )
    await page.getByRole('link', { name: 'Open the request' }).click()
    await expect(page.getByText('You cannot approve your own request.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Approve/ })).toBeHidden()

    const context = await browser.newContext()
    const opened = await context.request.post(`${studio.url}/session/password`, {
      data: { user: 'ines', password },
      headers: { origin: studio.url },
    })
    expect(opened.ok()).toBe(true)
    const ines = await context.newPage()
    await ines.goto(`${studio.url}/requests`)
    await ines.getByRole('link', { name: 'Germany at 21' }).first().click()
    await expect(ines.getByRole('grid')).toContainText('0.2100')
    await ines.getByRole('textbox', { name: 'Comment or reason' }).fill('From the gazette?')
    await ines.getByRole('button', { name: 'Comment' }).click()
    // He sees her comment without a reload.
    await expect(page.getByRole('region', { name: 'History', exact: true })).toContainText(
      'From the gazette?',
    )
    await ines.getByRole('button', { name: /^Approve/ }).click()
    await expect(page.locator('.phead .state')).toHaveText('approved')

    // An edit voids it, and she is shown what changed.
    await keep(studio, rate('de_2027_01_01', '2027-01-01', null, '0.22'), 1)
    await visit(page, `${studio.url}/changes`)
    await page.getByLabel('Send as').selectOption({ label: 'the new list of “Germany at 21”' })
    await page.getByRole('button', { name: 'Submit 2 changes for approval' }).click()
    const since = ines.getByRole('region', { name: 'Since you approved' })
    await expect(since).toContainText('1 change in the list')
    await expect(since).toContainText('VAT rate by territory, DE, org, changed')
    await expect(ines.locator('.phead .state')).toHaveText('waiting for approval')
    await ines.getByRole('button', { name: /^Approve/ }).click()
    await ines.getByRole('button', { name: 'Apply the request' }).click()
    await expect(ines.getByText('It became generation 3.')).toBeVisible()
    await visit(page, `${studio.url}/requests`)
    await expect(page.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible()
    await context.close()
  })

  test('a request is scheduled, rejected with a reason, withdrawn', async ({ studio, browser }) => {
    const { page } = studio
    await layGround(studio)
    await draftGermany(studio)
    await studio.call('PUT', '/setup/v3/approvals', { required: 1 })
    const submit = (rationale: string): Promise<{ id: string }> =>
      studio.call('POST', '/metadata/v3/change-requests', { drafts: true, rationale })
    const first = await submit('First')
    await page.goto(`${studio.url}/requests/${first.id}`)
    await page.getByLabel('Apply on').fill('2999-01-01')
    await page.getByRole('button', { name: 'Set the date' }).click()
    await expect(
      page.getByRole('definition').filter({ hasText: 'automatically on 1 Jan 2999' }),
    ).toBeVisible()
    const context = await browser.newContext()
    await context.request.post(`${studio.url}/session/password`, {
      data: { user: 'ines', password },
      headers: { origin: studio.url },
    })
    const ines = await context.newPage()
    await ines.goto(`${studio.url}/requests/${first.id}`)
    const reject = ines.getByRole('button', { name: 'Reject' })
    await expect(reject).toBeDisabled()
    await ines.getByRole('textbox', { name: 'Comment or reason' }).fill('Too early')
    await reject.click()
    await expect(page.locator('.phead .state')).toHaveText('rejected')
    await expect(page.getByRole('region', { name: 'History', exact: true })).toContainText('Too early')
    const second = await submit('Second')
    await visit(page, `${studio.url}/requests/${second.id}`)
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.locator('.phead .state')).toHaveText('withdrawn')
    await context.close()
  })
})
