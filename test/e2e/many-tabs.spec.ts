// Many tabs of one browser: they share one stream of events, so that requests still get connections.
import type { Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test } from './support/test.ts'

/** More than a browser opens connections to one server. */
const count = 8

test('eight tabs work, each receives every change, and one continues when the first is closed', async ({
  studio,
}) => {
  const { page, call, url } = studio
  await layGround(studio)
  const context = page.context()
  const streams: Page[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/setup/v3/events')) streams.push(request.frame().page())
  })
  const tabs: Page[] = []
  for (let at = 0; at < count; at += 1) {
    const tab = await context.newPage()
    await tab.goto(`${url}/c/value_set/currency`)
    await expect(tab.getByRole('heading', { level: 1, name: 'currency' })).toBeVisible()
    tabs.push(tab)
  }
  expect(streams).toEqual([tabs[0]])

  const draft = async (label: string, version: number): Promise<void> => {
    const { component } = await call<{ component: object }>(
      'GET',
      '/metadata/v3/components/value_set/currency',
    )
    await call('PUT', '/setup/v3/drafts/value_set/currency', {
      ...{ text: JSON.stringify({ ...component, label }), version },
    })
  }
  const labels = (label: string, pages: readonly Page[]): Promise<unknown> =>
    Promise.all(
      pages.map((tab) =>
        expect(tab.getByRole('region', { name: 'Form of' }).getByLabel('Label').first()).toHaveValue(label),
      ),
    )
  await draft('Money', 0)
  await labels('Money', tabs)

  // What changes while no tab is connected is read by the next one.
  await tabs[0]!.close()
  await draft('Cash', 1)
  await labels('Cash', tabs.slice(1))
  await draft('Coins', 2)
  await labels('Coins', tabs.slice(1))
  expect(streams).toEqual([tabs[0], tabs[1]])
  await expect(tabs[2]!.getByText('Connected again.')).toBeHidden()
})
