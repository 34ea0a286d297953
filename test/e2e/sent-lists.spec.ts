// A list that was submitted or applied is not sent twice, and its report disappears when the next list begins.
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

/** One draft of the fixture is invalid; instead, a list of one change that can be applied. */
async function draftLabel(studio: Studio, set: string, label: string): Promise<void> {
  const path = `/metadata/v3/components/value_set/${set}`
  const component = await studio.call<object>('GET', path).catch(() => null)
  const body = { values: [{ key: 'A', label: 'A' }] }
  const text = JSON.stringify({ type: 'value_set', key: set, body, ...component, label })
  await studio.call('PUT', `/setup/v3/drafts/value_set/${set}`, { text, version: 0 })
}

async function openList(studio: Studio): Promise<void> {
  await layGround(studio)
  for (const slug of ['hr_2012_03_01', 'hr_2023_01_01'])
    await studio.call('DELETE', `/setup/v3/drafts/config_entry/vat_rate.${slug}`)
  await draftLabel(studio, 'colour', 'Colour')
  await studio.page.goto(`${studio.url}/changes`)
}

test('a submitted list is not submitted again, and a second window is shown the first request', async ({
  studio,
}) => {
  const { page, call, url } = studio
  await openList(studio)
  await call('PUT', '/setup/v3/approvals', { required: 1 })
  await page.reload()
  await page.getByRole('textbox', { name: 'Title' }).fill('Croatia')
  const second = await page.context().newPage()
  await second.goto(`${url}/changes`)
  const submit = { name: /^Submit \d changes? .*for approval$/ }
  await expect(second.getByRole('button', submit)).toBeEnabled()
  // The second window has not received the first request when it submits.
  await second.route('**/metadata/v3/change-requests?*', (route) => route.abort())
  await second.route('**/setup/v3/events*', (route) => route.abort())

  await page.getByRole('button', submit).click()
  await expect(page.getByRole('region', { name: 'Submitted' })).toContainText('Croatia')
  await expect(page.getByRole('link', { name: '“Croatia”' })).toBeVisible()
  await expect(page.getByRole('button', submit)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('link', { name: '“Croatia”' })).toBeVisible()
  await expect(page.getByRole('button', submit)).toBeHidden()

  await second.getByRole('textbox', { name: 'Title' }).fill('Croatia again')
  await second.getByRole('button', submit).click()
  await expect(second.getByRole('region', { name: 'Submitted' })).toContainText('“Croatia” was submitted')
  const { requests } = await call<{ requests: { title: string }[] }>('GET', '/metadata/v3/change-requests')
  expect(requests.map(({ title }) => title)).toEqual(['Croatia'])
})

test('the report of an apply disappears when the next list begins', async ({ studio }) => {
  const { page } = studio
  await openList(studio)
  await page.locator('#apply').click()
  const report = page.getByRole('region', { name: 'Applied' })
  await expect(report.getByRole('link', { name: /^Revert generation/ })).toBeVisible()
  await draftLabel(studio, 'season', 'Season')
  await expect(page.locator('#apply')).toHaveText('Apply 1 change')
  await expect(report).toBeHidden()
})
