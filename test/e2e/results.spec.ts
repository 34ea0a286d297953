// Stored results: older ones than the list shows can still be reached.
import { layRecords } from './support/orders.ts'
import { expect, test } from './support/test.ts'
import { visit } from './support/visit.ts'

test('if there are more than a list shows, older ones are loaded on demand, and each has a URL', async ({
  studio,
}) => {
  const { page } = studio
  const ids: string[] = []
  for (let n = 1; n <= 205; n += 1) {
    const request = { expression: `${n} + 1`, store: `Result ${n}` }
    ids.push((await studio.call<{ resultId: string }>('POST', '/setup/v3/evaluate', request)).resultId)
  }
  const list = page.getByRole('region', { name: 'Stored results' })
  // The oldest of all, by its URL.
  await page.goto(`${studio.url}/results/${ids[0]}`)
  await expect(page.getByRole('heading', { name: 'Result 1', exact: true })).toBeVisible()
  await expect(list.getByRole('link')).toHaveCount(200)
  await list.getByRole('button', { name: 'Show older' }).click()
  await expect(list.getByRole('link')).toHaveCount(205)
  await expect(list.getByRole('link').last()).toHaveText(/^Result 1\s*2$/)
  await expect(list.getByRole('button', { name: 'Show older' })).toHaveCount(0)
  // One that was archived in the meantime keeps its place in the list.
  await studio.call('POST', `/setup/v3/results/${ids[0]}/archive`)
  await list.getByRole('link').last().click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Result 1', exact: true })).toBeVisible()
  await visit(page, `${studio.url}/results/none`)
  await expect(page.getByText('This stored result does not exist')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Show all results' })).toBeVisible()
  await visit(page, `${studio.url}/time?result=${ids[1]}`)
  await expect(page.getByRole('region', { name: 'Stored result', exact: true })).toContainText('Result 2')
})

test('the as-of date of a result is not cut off in a narrow window', async ({ studio }) => {
  const { page, call } = studio
  await layRecords(studio)
  const { resultId } = await call<{ resultId: string }>('POST', '/setup/v3/evaluate', {
    ...{ expression: 'config.duty("DE").rate', asOf: '2021-05-05', store: 'Offer of the year' },
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${studio.url}/results/${resultId}`)
  const summary = page.getByText(/^as of 5 May 2021, stored /)
  await expect(summary).toBeVisible()
  expect(await summary.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})
