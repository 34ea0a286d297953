// The pages of event channels and subscriptions.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { deployChannels, eventsIn, publishNotes } from './support/channels.ts'
import { expect, test } from './support/test.ts'

const list = (page: Page): Locator => page.getByRole('region', { name: 'Events', exact: true })
const events = (page: Page): Locator => list(page).getByRole('article')
const channels = (page: Page): Locator => page.getByRole('table', { name: 'Event channels' })
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `note ${from + at}`)

test('a change is shown before and after as it is committed, with hidden fields as hidden', async ({
  studio,
}) => {
  const { page, url, call } = studio
  await deployChannels(studio)
  await page.goto(`${url}/operate/events`)
  await expect(channels(page).getByRole('row', { name: /Notes/ })).toContainText('platform events')
  expect(await violations(page)).toEqual([])
  await channels(page).getByRole('link', { name: 'Customer' }).click()
  await expect(page).toHaveURL(/\/operate\/events\/changes\.customer$/)
  await expect(page.getByText('No event that you can see is in the channel.')).toBeVisible()
  const { id } = await call<{ id: string }>('POST', '/data/v3/customer', { name: 'Alpen', city: 'Wien' })
  await expect(events(page)).toHaveCount(1)
  await expect(events(page).first()).toContainText('created')
  await expect(events(page).first()).toContainText('Alpen')
  await call('POST', '/data/v3/customer/batch', {
    records: [{ op: 'update', id, version: 1, fields: { city: 'Graz' } }],
  })
  await expect(events(page)).toHaveCount(2)
  await expect(events(page).first()).toContainText('changed')
  await expect(events(page).first().locator('.fields')).toHaveText(/City\s*before: Wien\s*after: Graz/)
  // An alias of a field is not a second field.
  await expect(events(page).last().locator('dt')).toHaveText(['Name', 'City', 'note'])
  await expect(events(page).last().locator('.hidden')).toHaveText('hidden from you')
  await expect(events(page).first().getByRole('link', { name: 'Alpen' })).toHaveAttribute(
    'href',
    `/records/customer/${id}`,
  )
  await expect(
    events(page)
      .first()
      .getByRole('link', { name: /^Trace/ }),
  ).toHaveAttribute('href', /\/operate\/trace\//)
  expect(await violations(page)).toEqual([])
  // The channel has a tab of its own.
  const tabs = page.getByRole('navigation', { name: 'Open pages' })
  await expect(tabs.getByRole('link', { name: 'changes.customer' })).toBeVisible()
  await page.goto(`${url}/c/object/customer?view=form`)
  await page.getByRole('link', { name: 'Changes in changes.customer' }).click()
  await expect(events(page)).toHaveCount(2)
})

test('events are paged in both directions from a point that is in the address', async ({ studio }) => {
  const { page, url } = studio
  await deployChannels(studio)
  await publishNotes(studio, numbered(1, 350))
  await eventsIn(studio, 'note', 350)
  await page.goto(`${url}/operate/events/note`)
  await expect(events(page)).toHaveCount(100)
  await expect(events(page).first()).toContainText('note 350')
  await list(page).getByRole('button', { name: 'Older events' }).click()
  await expect(events(page)).toHaveCount(200)
  await expect(events(page).last()).toContainText('note 151')
  await page.getByRole('combobox', { name: 'From', exact: true }).selectOption('sequence')
  await page.getByLabel('Number of the first event').fill('120')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=120/)
  await expect(events(page).last()).toContainText('note 120')
  await expect(events(page)).toHaveCount(100)
  await page.reload()
  await expect(events(page).last()).toContainText('note 120')
  await expect(events(page).last()).toBeInViewport()
  await list(page).getByRole('button', { name: 'Older events' }).click()
  await expect(events(page).last()).toContainText('note 20')
  await list(page).getByRole('button', { name: 'Newer events' }).click()
  await expect(events(page)).toHaveCount(300)
  await expect(events(page).first()).toContainText('note 319')
  await page.goto(`${url}/operate/events/note?from=9999`)
  await expect(page.getByRole('note', { name: 'Gap' })).toHaveText(
    'No event has the number 9,999 yet: the newest one is 350.',
  )
  await page.goto(`${url}/operate/events/note?from=2020-01-01T00:00:00Z`)
  await expect(events(page).last()).toContainText('note 1')
  // Events that come while the user reads do not move the list.
  await page.goto(`${url}/operate/events/note`)
  await expect(events(page).first()).toContainText('note 350')
  await list(page).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(events(page).nth(1)).toBeFocused()
  await publishNotes(studio, ['late'])
  await expect(page.getByRole('button', { name: '1 newer event' })).toBeVisible()
  await expect(events(page).first()).toContainText('note 350')
  await page.getByRole('button', { name: '1 newer event' }).click()
  await expect(events(page).first()).toContainText('late')
})

test('a copied cursor continues after its event, and an event is copied as JSON', async ({ studio }) => {
  const { page, url, call } = studio
  await deployChannels(studio)
  await publishNotes(studio, numbered(1, 3))
  await eventsIn(studio, 'note', 3)
  await page.goto(`${url}/operate/events/note`)
  await page.evaluate(() => {
    const copied = { text: '' }
    Object.assign(window, { copied })
    navigator.clipboard.writeText = (text) => Promise.resolve(void (copied.text = text))
  })
  const copied = (): Promise<string> =>
    page.evaluate(() => (window as unknown as { copied: { text: string } }).copied.text)
  await events(page).nth(1).getByRole('button', { name: 'Copy the cursor after this event' }).click()
  const after = encodeURIComponent(await copied())
  const next = await call<{ events: { payload: object }[] }>(
    'GET',
    `/events/v3/channels/note/events?after=${after}`,
  )
  expect(next.events.map(({ payload }) => payload)).toEqual([{ text: 'note 3', mood: null, amount: null }])
  await events(page).first().getByRole('button', { name: 'Copy as JSON' }).click()
  expect(JSON.parse(await copied())).toMatchObject({ sequence: '3', payload: { text: 'note 3' } })
})

test('a test event is published with a form, whose problems are next to the fields', async ({ studio }) => {
  const { page, url } = studio
  await deployChannels(studio)
  await page.goto(`${url}/operate/events/note`)
  await page.getByRole('button', { name: 'Publish an event…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Publish an event' })
  await dialog.getByLabel('Amount').fill('1.234')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog.getByRole('alert')).toHaveText([
    'Text is required.',
    'The number has too many decimals: Amount can have 2 digits after the decimal point.',
  ])
  await expect(dialog.getByLabel('Text')).toBeFocused()
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel('Text').fill('x'.repeat(2000))
  await dialog.getByLabel('Amount').fill('1.5')
  await dialog.getByLabel('Mood').selectOption('Good')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog.getByRole('alert')).toContainText('the channel allows')
  await expect(dialog.getByLabel('Text')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Text').fill('hello')
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog.getByRole('status')).toContainText('Published as')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(events(page).first().locator('.fields')).toHaveText(
    /Text\s*hello\s*Mood\s*Good\s*Amount\s*1\.50/,
  )
})

test('a subscription is created, replayed after its events are counted, and deleted', async ({ studio }) => {
  const { page, url, call } = studio
  await deployChannels(studio)
  await publishNotes(studio, numbered(1, 5))
  await eventsIn(studio, 'note', 5)
  await page.goto(`${url}/operate/events/note?view=log`)
  const partitions = page.getByRole('table', { name: 'Partitions' })
  await expect(partitions.locator('tbody tr td').nth(2)).toHaveText('5')
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'New subscription' }).click()
  const dialog = page.getByRole('dialog', { name: 'New subscription' })
  await expect(dialog.getByLabel('Channel')).toHaveValue('note')
  await dialog.getByLabel('Name').fill('erp sync')
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Name').fill('erp_sync')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Create' }).click()
  const table = page.getByRole('table', { name: 'Subscriptions' })
  const row = table.getByRole('row', { name: /erp_sync/ })
  await expect(row).toContainText('none')
  await publishNotes(studio, ['later'])
  await expect(row).toContainText('1 event, for')
  await row.getByRole('button', { name: 'Replay from… erp_sync' }).click()
  const replay = page.getByRole('dialog', { name: 'Replay erp_sync' })
  await expect(replay.getByRole('status')).toHaveText('5 events will be delivered again.')
  // What is not a time is explained in the field, and not sent.
  await replay.getByRole('combobox', { name: 'From', exact: true }).selectOption('time')
  await replay.getByLabel('Time of the first event').fill('2026-13-45')
  await expect(replay.locator('.datehint')).toContainText('2026-13-45')
  await expect(replay.getByText('Counting…')).toHaveCount(0)
  await expect(replay.getByRole('alert')).toHaveCount(0)
  await expect(replay.getByRole('button', { name: 'Replay' })).toBeDisabled()
  await replay.getByRole('combobox', { name: 'From', exact: true }).selectOption('sequence')
  await expect(replay.getByRole('button', { name: 'Replay' })).toBeDisabled()
  await replay.getByLabel('Number of the first event').fill('4')
  await expect(replay.getByRole('status')).toHaveText('2 events will be delivered again.')
  expect(await violations(page)).toEqual([])
  await replay.getByRole('button', { name: 'Replay' }).click()
  await expect(row).toContainText('3 events, for')
  await row.getByRole('button', { name: 'Delete erp_sync' }).click()
  await page.getByRole('button', { name: 'Delete the subscription' }).click()
  await expect(page.getByText('No subscription matches. Change the filter.')).toBeVisible()
  // Subscriptions of a removed channel, all at once.
  for (const name of ['a', 'a0', 'b', 'c'])
    await call('PUT', `/events/v3/subscriptions/${name}`, { channel: 'note', from: 'earliest' })
  await call('PUT', '/events/v3/subscriptions/kept', { channel: 'changes.customer' })
  const removal = {
    components: [],
    removals: ['event_channel/note'],
    rationale: 'Not used',
    breaking: ['event_channel/note'],
  }
  await call('POST', '/metadata/v3/apply', removal)
  await page.goto(`${url}/operate/subscriptions`)
  await expect(table.locator('tbody tr')).toHaveCount(5)
  // After a deletion, the keyboard goes on at the next row.
  await table.getByRole('button', { name: 'Delete a0' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Delete the subscription' }).press('Enter')
  await expect(table.locator('tbody tr')).toHaveCount(4)
  await expect(table.getByRole('row', { name: /^b/ }).locator(':focus')).toHaveCount(1)
  await page.getByLabel('Channel removed').check()
  await expect(page).toHaveURL(/removed=true/)
  await expect(table.locator('tbody tr')).toHaveCount(3)
  await page.getByRole('button', { name: 'Delete all 3…' }).click()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Delete 3 subscriptions' }).click()
  await expect(page.getByRole('group', { name: 'Deleting subscriptions' })).toContainText('Done: 3 deleted.')
  await page.getByLabel('Channel removed').uncheck()
  await expect(table.locator('tbody tr')).toHaveCount(1)
  await expect(table).toContainText('kept')
})

test('a user sees the channels that they can use, and no others', async ({ studio, browser }) => {
  const { call, url } = studio
  await deployChannels(studio)
  const password = 'correct horse battery'
  const { component } = await call<{ component: { body: { publish: object } } }>(
    'GET',
    '/metadata/v3/components/event_channel/note',
  )
  const note = { ...component, body: { ...component.body, publish: { sender: 'publish' } } }
  const components = [{ type: 'permission_set', key: 'sender', label: 'Sender', body: {} }, note]
  await call('POST', '/metadata/v3/apply', { components, rationale: 'A sender' })
  const rita = { key: 'rita', name: 'Rita', groups: [], permissionSets: ['sender'], password }
  await call('POST', '/setup/v3/users', rita)
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/operate/events`)
  await page.getByLabel('User').fill('rita')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(channels(page).locator('tbody tr')).toHaveCount(1)
  await channels(page).getByRole('link', { name: 'Notes' }).click()
  await expect(page.getByText('You can publish to this channel, but not read it.')).toBeVisible()
  await page.goto(`${url}/operate/events/changes.customer`)
  await expect(page.getByRole('heading', { name: 'changes.customer does not exist' })).toBeVisible()
  await page.context().close()
})

test('the pages of events fit a telephone', async ({ studio }) => {
  const { page, url, call } = studio
  await deployChannels(studio)
  await publishNotes(studio, numbered(1, 3))
  await call('POST', '/data/v3/customer', { name: 'Alpen Handel und Vertrieb', city: 'Wien' })
  await call('PUT', '/events/v3/subscriptions/erp_sync', { channel: 'changes.customer', from: 'earliest' })
  await eventsIn(studio, 'changes.customer', 1)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of [
    ...['events', 'events/note', 'events/changes.customer', 'events/note?from=1', 'events/note?view=log'],
    'subscriptions',
  ]) {
    await page.goto(`${url}/operate/${path}`)
    await expect(page.locator('.ledger td, .event').locator('visible=true').first()).toBeVisible()
    expect.soft(await violations(page), path).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, path).toBeLessThanOrEqual(0)
    if (path === 'events/note') await expect(page.getByRole('link', { name: /^Trace/ }).first()).toBeVisible()
  }
  // The last of the pages: a name of usual length is on one line.
  const name = page
    .getByRole('table', { name: 'Subscriptions' })
    .getByRole('link', { name: 'changes.customer' })
  expect((await name.locator('visible=true').boundingBox())!.height).toBeLessThan(26)
  await expect(page.getByRole('button', { name: 'Delete erp_sync' })).toBeInViewport({ ratio: 1 })
})

test('a subscription that was deleted is not created by a replay, and one that exists is not moved', async ({
  studio,
}) => {
  const { page, url, call } = studio
  await deployChannels(studio)
  await publishNotes(studio, numbered(1, 3))
  await eventsIn(studio, 'note', 3)
  const subscriptions = '/events/v3/subscriptions'
  for (const name of ['erp_sync', 'ledger'])
    await call('PUT', `${subscriptions}/${name}`, { channel: 'note', from: 'earliest' })
  await page.goto(`${url}/operate/subscriptions`)
  await page.getByRole('button', { name: /^Replay from… erp_sync/ }).click()
  const replay = page.getByRole('dialog', { name: 'Replay erp_sync' })
  await replay.getByLabel('From').selectOption('latest')
  await expect(replay).toContainText('3 events will be skipped.')
  await call('DELETE', `${subscriptions}/erp_sync`)
  await replay.getByRole('button', { name: 'Replay' }).click()
  await expect(replay.getByRole('alert')).toContainText('does not exist')
  await replay.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('button', { name: 'Delete erp_sync' })).toHaveCount(0)

  await page
    .getByRole('link', { name: 'New subscription' })
    .or(page.getByRole('button', { name: 'New subscription' }))
    .click()
  const dialog = page.getByRole('dialog', { name: 'New subscription' })
  await dialog.getByLabel('Channel').selectOption('note')
  await dialog.getByLabel('Name').fill('till')
  await call('PUT', `${subscriptions}/till`, { channel: 'note', from: 'earliest' })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toContainText('You already have a subscription with this name.')
  expect(await call<{ lag: number }>('GET', `${subscriptions}/till`)).toMatchObject({ lag: 3 })
})
