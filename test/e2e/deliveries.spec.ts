// Webhook deliveries in the studio: the list and its actions, one delivery, refused ones, test deliveries, and presets.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { expect, test } from './support/test.ts'
import { deliveriesIn, deployWebhook, sendFromHub, writeSecret } from './support/webhooks.ts'

const rows = (page: Page): Locator => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')
const filter = (page: Page): Locator => page.getByRole('search', { name: 'Deliveries' })
const delivery = (page: Page): Locator => page.getByRole('region', { name: 'Delivery', exact: true })

test('a delivery is followed from its receipt to the record, in a tab of its own', async ({ studio }) => {
  const { page, url } = studio
  await deployWebhook(studio)
  await page.goto(`${url}/operate/outbox`)
  await page.getByRole('list', { name: 'Pages' }).getByRole('link', { name: 'Deliveries' }).click()
  await expect(page.getByText('No delivery yet.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await sendFromHub(studio, 'evt-1', { code: 'H-1', person: { name: 'Ada' }, amount: '1.50' })
  await sendFromHub(studio, 'evt-2', { code: 'H-2', person: { name: 'Bo' }, amount: '-1' })
  await deliveriesIn(studio, 'dispatched', 1)
  await deliveriesIn(studio, 'dead', 1)
  // It appears without a reload.
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).nth(0)).toContainText('evt-2')
  await expect(rows(page).nth(0)).toContainText('dead letter')
  await expect(rows(page).nth(0)).toContainText('record of contact')
  await expect(rows(page).nth(1)).toContainText('dispatched')
  await expect(rows(page).nth(1).getByRole('link', { name: 'Ada' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await rows(page).nth(1).getByRole('link', { name: 'evt-1' }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(rows(page).nth(0).getByRole('link', { name: 'evt-2' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/operate\/deliveries\/[0-9a-f-]{36}$/)
  // The keyboard goes on in the page that opened.
  await expect(page.locator('.pane > .page')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.locator('.pane > .page :focus')).toBeVisible()
  await expect(
    page.getByRole('navigation', { name: 'Open pages' }).getByRole('link', { name: 'hub evt-1' }),
  ).toBeVisible()
  // Only what the endpoint takes, and only what the user could read in the record.
  const delivered = delivery(page).getByRole('region', { name: 'What it delivers' })
  await expect(delivered.locator('dt')).toHaveText(['amount', 'code', 'name'])
  await expect(delivered.locator('dd')).toHaveText([
    ...[/^"1.50"\s*\/amount$/, /^"H-1"\s*\/code$/, /^"Ada"\s*\/person\/name$/],
  ])
  const steps = delivery(page).getByRole('list', { name: 'Verification steps' }).getByRole('listitem')
  await expect(steps.last()).toContainText('The signature matches the current secret.')
  await expect(delivery(page)).toContainText('1 attempt')
  await expect(delivery(page).locator('.attempts')).toContainText('succeeded')
  await expect(delivery(page)).toContainText('created')
  expect(await violations(page)).toEqual([])
  // From the trace back to the delivery.
  await delivery(page)
    .getByRole('link', { name: /^Trace / })
    .click()
  const trace = page.getByRole('region', { name: 'Trace' })
  await expect(trace.getByRole('link', { name: 'dispatched hub evt-1' })).toBeVisible()
  await trace.getByRole('button', { name: /^dispatched/ }).click()
  await trace.getByRole('link', { name: /^[0-9a-f-]{36}$/ }).click()
  await expect(page.getByRole('heading', { name: 'evt-1' })).toBeVisible()
  await delivery(page).getByRole('link', { name: 'Ada' }).click()
  await expect(page).toHaveURL(/\/records\/contact\//)
})

test('a dead delivery is requeued, and discarded with a reason', async ({ studio }) => {
  const { page, url, call } = studio
  await deployWebhook(studio)
  const id = await sendFromHub(studio, 'evt-1', { code: 'H-1', person: { name: 'Ada' }, amount: '-1' })
  await deliveriesIn(studio, 'dead', 1)
  await page.goto(`${url}/operate/deliveries/${id}`)
  await expect(delivery(page)).toContainText('The amount is negative.')
  await expect(page.getByRole('button', { name: 'Discard' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Requeue' }).click()
  await expect(delivery(page)).toContainText('2 attempts')
  await expect(delivery(page).locator('.attempts')).toContainText('requeued')
  await expect(page.getByRole('button', { name: 'Requeue' })).toBeEnabled()
  // A server that has to ask before it repeats a callout.
  await page.route('**/requeue', async (route) => {
    const isAccepted = route.request().postDataJSON().acceptRepeat === true
    if (isAccepted) return route.fulfill({ status: 204 })
    const detail = 'The target of a callout may have carried it out.'
    return route.fulfill({ status: 409, json: { code: 'delivery.not_repeatable', title: 'x', detail } })
  })
  await page.getByRole('button', { name: 'Requeue' }).click()
  await expect(page.getByRole('form', { name: 'Dead delivery' }).getByRole('alert')).toContainText(
    'may have carried it out',
  )
  await expect(page.getByRole('button', { name: 'Requeue' })).toBeDisabled()
  await page.getByLabel(/Dispatch it again all the same/).check()
  const accepted = page.waitForRequest((request) => request.postDataJSON()?.acceptRepeat === true)
  await page.getByRole('button', { name: 'Requeue' }).click()
  await accepted
  await page.getByLabel(/^Reason/).fill('Entered by hand')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(delivery(page)).toContainText('Entered by hand')
  await expect(page.getByRole('button', { name: 'Requeue' })).toHaveCount(0)
  const found = await call<{ state: string }>('GET', `/setup/v3/deliveries/${id}`)
  expect(found.state).toBe('discarded')
  await page.goto(`${url}/operate/deliveries/none`)
  await expect(page.getByRole('heading', { name: 'The delivery does not exist' })).toBeVisible()
})

test('the filter is in the address, and an action takes all of it', async ({ studio }) => {
  const { page, url } = studio
  await deployWebhook(studio)
  for (let at = 1; at <= 3; at += 1)
    await sendFromHub(studio, `evt-${at}`, { code: `H-${at}`, person: { name: 'Ada' }, amount: '-1' })
  await deliveriesIn(studio, 'dead', 3)
  await page.goto(`${url}/operate/deliveries`)
  await filter(page).getByLabel('State').selectOption('held')
  await expect(page).toHaveURL(/state=held/)
  await expect(page.getByText('No delivery matches. Change the filter.')).toBeVisible()
  await page.getByRole('link', { name: /Show the dead letters/ }).click()
  await filter(page).getByLabel('Endpoint').selectOption('hub')
  await filter(page).getByLabel('Time').selectOption('1')
  await expect(page).toHaveURL(/endpoint=hub/)
  await expect(rows(page)).toHaveCount(3)
  // The words are beside the box, and not cut to its size.
  expect((await filter(page).getByText('Failed only').boundingBox())!.width).toBeGreaterThan(60)
  await filter(page).getByLabel('Failed only').check()
  // An action has no such filter, so it is not offered.
  await expect(page.getByRole('button', { name: /^Requeue all/ })).toHaveCount(0)
  await filter(page).getByLabel('Failed only').uncheck()
  await page.reload()
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('button', { name: /^Discard all 3/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard all dead deliveries' })
  await expect(dialog).toContainText('3 dead deliveries')
  await expect(dialog).toContainText('endpoint hub, last 1 h')
  await expect(dialog.getByRole('button', { name: 'Discard 3 deliveries' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel(/^Reason/).fill('Old')
  await dialog.getByRole('button', { name: 'Discard 3 deliveries' }).click()
  const action = page.getByRole('group', { name: 'Action over all dead deliveries' })
  await expect(action).toContainText('Done: 3 handled.')
  await expect(page.getByText('No delivery matches. Change the filter.')).toBeVisible()
  await deliveriesIn(studio, 'discarded', 3)
})

test('an action that a different user was faster with shows that nothing was left', async ({ studio }) => {
  const { page, url, call } = studio
  await deployWebhook(studio)
  for (let at = 1; at <= 2; at += 1)
    await sendFromHub(studio, `evt-${at}`, { code: `H-${at}`, person: { name: 'Ada' }, amount: '-1' })
  await deliveriesIn(studio, 'dead', 2)
  await page.goto(`${url}/operate/deliveries?state=dead`)
  const ask = page.getByRole('button', { name: /^Requeue all/ })
  await expect(ask).toHaveText('Requeue all 2…')
  await ask.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Requeue all dead deliveries' })
  await expect(dialog.getByRole('button', { name: 'Requeue 2 deliveries' })).toBeEnabled()
  await call('POST', '/setup/v3/deliveries/actions', { action: 'discard', reason: 'Old', filter: {} })
  await deliveriesIn(studio, 'discarded', 2)
  await dialog.getByRole('button', { name: 'Requeue 2 deliveries' }).click()
  await expect(dialog.getByRole('alert')).toContainText('so nothing was started')
  await expect(dialog.getByRole('button', { name: 'Requeue 0 deliveries' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
  await expect(page.getByText('No delivery matches. Change the filter.')).toBeVisible()
  // The button that had the focus is disabled now; the focus stays beside it.
  await page.keyboard.press('Escape')
  await expect(page.locator('.toolbar.all')).toBeFocused()
})

test('a held delivery shows its reason, and goes on once the user is active', async ({ studio }) => {
  const { page, url, call } = studio
  await deployWebhook(studio)
  const setActive = async (active: boolean): Promise<void> => {
    const { users } = await call<{ users: { key: string; version: string }[] }>('GET', '/setup/v3/users')
    const { version } = users.find(({ key }) => key === 'hooks')!
    await call('PUT', '/setup/v3/users/hooks', { active, version })
  }
  await setActive(false)
  const id = await sendFromHub(studio, 'evt-1', { code: 'H-1', person: { name: 'Ada' } })
  await deliveriesIn(studio, 'held', 1)
  const found = await call<{ problem: { title: string; detail: string } }>(
    'GET',
    `/setup/v3/deliveries/${id}`,
  )
  await page.goto(`${url}/operate/deliveries?state=open`)
  await expect(rows(page)).toContainText([/held/])
  await expect(rows(page)).toContainText([found.problem.title])
  // A click anywhere on the row opens it.
  await rows(page).getByText('held').click()
  await expect(page.getByRole('heading', { name: 'Why it is held' })).toBeVisible()
  await expect(delivery(page)).toContainText(found.problem.detail)
  await expect(page.getByRole('button', { name: 'Requeue' })).toHaveCount(0)
  await setActive(true)
  await expect(delivery(page)).toContainText('Led to')
  await expect(delivery(page).getByRole('link', { name: 'Ada' })).toBeVisible()
})

test('refused deliveries are counted, each with the step that failed', async ({ studio }) => {
  const { page, url } = studio
  await deployWebhook(studio)
  await page.goto(`${url}/operate/deliveries`)
  await page.getByRole('link', { name: 'Refused', exact: true }).click()
  await expect(page.getByText('No delivery was refused.')).toBeVisible()
  const body = { code: 'H-1' }
  expect(await sendFromHub(studio, 'evt-1', body, { secret: 'other' })).toBeNull()
  expect(await sendFromHub(studio, 'evt-2', body, { secret: 'other' })).toBeNull()
  expect(await sendFromHub(studio, 'evt-3', body, { without: ['signature'] })).toBeNull()
  const counts = page.getByRole('table', { name: 'How often deliveries were refused' })
  await expect(counts.getByRole('row', { name: /^hub 3 Signature 2, Signature header 1/ })).toBeVisible()
  const refused = page.getByRole('table', { name: 'Refused deliveries' })
  await refused
    .getByRole('button', { name: /^Signature:/ })
    .first()
    .click()
  const steps = refused.getByRole('list', { name: 'Verification steps' })
  await expect(steps.locator('li.first')).toContainText('Signature failed')
  expect(await violations(page)).toEqual([])
  await page.getByRole('search', { name: 'Refused deliveries' }).getByLabel('Time').selectOption('24')
  await expect(page).toHaveURL(/hours=24/)
  await expect(refused.getByRole('button')).toHaveCount(3)
  await refused.getByRole('link').first().click()
  await expect(page).toHaveURL(/\/operate\/trace\//)
})

test('a test delivery is signed, sent and followed', async ({ studio }) => {
  const { page, url } = studio
  await deployWebhook(studio, false)
  await page.goto(`${url}/c/webhook_endpoint/hub`)
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Send a test delivery' }).click()
  await expect(page).toHaveURL(/\/operate\/deliveries\/test\?endpoint=hub$/)
  // The members that the endpoint reads.
  const body = page.getByLabel('Body')
  await expect(body).toHaveValue(/"person": \{\s+"name": ""/)
  expect(await violations(page)).toEqual([])
  await body.fill('{"code":"T-1","person":{"name":"Test person"},"amount":"2"}')
  await page.getByLabel('Id', { exact: true }).fill('test-1')
  await page.getByRole('button', { name: 'Sign and send' }).click()
  const response = page.getByRole('region', { name: 'Response' })
  // Below the form, and scrolled to when it arrives.
  await page.setViewportSize({ width: 1024, height: 700 })
  await expect(response.getByRole('alert')).toContainText('503: ')
  await expect(page.getByRole('link', { name: 'Open the credentials' })).toBeVisible()
  await writeSecret(studio)
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await expect(response).toContainText('202: the delivery is verified and stored.')
  await expect(response).toContainText('The signature matches the current secret.')
  await expect(response.getByRole('link', { name: 'Test person' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await expect(response).toContainText('200: the same delivery was stored before')
  await page.getByLabel('Sign with').selectOption('a wrong secret')
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await expect(response.getByRole('status')).toHaveText('401: The delivery could not be verified.')
  await expect(response.locator('li.first')).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(response.getByRole('list', { name: 'Verification steps' }).locator('li.first')).toContainText(
    'failed',
  )
  expect(await violations(page)).toEqual([])
  await page.getByLabel('Sign with').selectOption('the current secret')
  await page.getByRole('button', { name: 'Sign and send' }).click()
  await response.getByRole('link', { name: 'test-1' }).click()
  await expect(delivery(page)).toContainText('sent it as a test')
})

test('a preset fills in the form of an endpoint, and keeps everything else', async ({ studio }) => {
  const { page, url } = studio
  await deployWebhook(studio)
  await page.goto(`${url}/c/webhook_endpoint/hub?view=form`)
  const preset = page.getByLabel('Fill in for')
  await expect(preset).toHaveValue('github')
  await preset.selectOption('stripe')
  await expect(page.getByLabel('Signature header')).toHaveValue('Stripe-Signature#v1')
  await expect(page.getByLabel('Time header')).toHaveValue('Stripe-Signature#t')
  await expect(page.getByLabel('Id header')).toHaveValue('body:/id')
  await expect(page.getByText('the id is that of the event')).toBeVisible()
  await preset.selectOption('slack')
  await expect(page.getByLabel('Challenge')).toHaveValue('/challenge')
  await preset.selectOption('github')
  // What only other presets set is gone.
  await expect(page.getByLabel('Challenge')).toHaveValue('')
  await expect(page.getByLabel('Time header')).toHaveValue('')
  await expect(page.getByRole('textbox', { name: /^Path/ })).toHaveValue('/hooks/hub')
  await page.getByLabel('Signature header').fill('X-Other')
  await expect(preset).toHaveValue('')
  expect(await violations(page)).toEqual([])
})

test('the pages fit a telephone', async ({ studio }) => {
  const { page, url } = studio
  await deployWebhook(studio)
  const id = await sendFromHub(studio, 'evt-1', { code: 'H-1', person: { name: 'Ada' }, amount: '-1' })
  await sendFromHub(studio, 'evt-2', {}, { secret: 'other' })
  await deliveriesIn(studio, 'dead', 1)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const path of ['', `/${id}`, '/refused', '/test?endpoint=hub']) {
    await page.goto(`${url}/operate/deliveries${path}`)
    await expect(page.locator('.ledger td, .kv dd, #test-body').locator('visible=true').first()).toBeVisible()
    if (path === '/refused') await page.getByRole('button', { name: /^Signature:/ }).click()
    expect.soft(await violations(page), path).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, path).toBeLessThanOrEqual(0)
    // Nothing is cut off at the right of the list.
    const cut = await page
      .locator('.page .scroll')
      .evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth))
    expect.soft(Math.max(0, ...cut), path).toBe(0)
    // A browser adds the title to its message about a wrong format.
    if (path.startsWith('/test'))
      await expect.soft(page.getByLabel('Id', { exact: true })).toHaveAttribute('title', /without spaces/)
    // Ids are shown in whole.
    const cutFacts = await page
      .locator('.kv dd')
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).length)
    expect.soft(cutFacts, path).toBe(0)
  }
  await page.emulateMedia({ colorScheme: null })
})
