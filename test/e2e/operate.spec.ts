// The pages of operators: the outbox with its dead letters, circuit breakers, and the trace of a correlation id.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { callsIn, deployCalls, saveCustomer, startTarget, type CallTarget } from './support/calls.ts'
import { expect, test, type Studio } from './support/test.ts'

let target: CallTarget
test.beforeEach(async () => void (target = await startTarget()))
test.afterEach(() => target.close())

const rows = (page: Page): Locator =>
  page.getByRole('table', { name: 'Calls in the outbox' }).locator('tbody tr')
const detail = (page: Page): Locator => page.getByRole('complementary', { name: 'Call', exact: true })

async function deadCalls(studio: Studio, count: number): Promise<void> {
  await deployCalls(studio, target.port)
  target.status = 400
  for (let at = 1; at <= count; at += 1) await saveCustomer(studio, `Call ${at}`)
  await callsIn(studio, 'dead', count)
}

test('a dead letter is opened by its address, and sent again', async ({ studio }) => {
  const { page, url } = studio
  await deadCalls(studio, 2)
  await page.goto(url)
  await page.getByRole('navigation', { name: 'Activities' }).getByRole('link', { name: 'Operate' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).getByRole('link', { name: /^Call/ })).toHaveText(['Call 2', 'Call 1'])
  await expect(page.getByRole('list', { name: 'Circuit breakers' })).toContainText('bank')
  expect(await violations(page)).toEqual([])
  await rows(page).first().getByRole('link', { name: 'bank.create_payment' }).click()
  await expect(page).toHaveURL(/\/operate\/outbox\/[0-9a-f-]{36}$/)
  await expect(detail(page)).toContainText('Dead letter', { ignoreCase: true })
  await expect(detail(page)).toContainText('it returned 400')
  await expect(detail(page).locator('.attempts')).toContainText('400')
  await expect(detail(page).getByRole('button', { name: 'Discard' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
  // The address alone shows the same call.
  await page.reload()
  await expect(detail(page)).toContainText('it returned 400')
  // The list does not move while a call is open.
  await saveCustomer(studio, 'Call 3')
  await callsIn(studio, 'dead', 3)
  await expect(page.getByRole('button', { name: '1 newer row' })).toBeVisible()
  await expect(rows(page)).toHaveCount(2)
  await page.getByRole('button', { name: '1 newer row' }).click()
  await expect(rows(page)).toHaveCount(3)
  target.status = 204
  await detail(page).getByRole('button', { name: 'Requeue' }).click()
  await expect(page.getByRole('heading', { name: 'The call is not in the outbox' })).toBeVisible()
  await page.getByRole('link', { name: 'Show all calls' }).click()
  await expect(rows(page)).toHaveCount(2)
})

test('the filter is in the address, and an action takes all of it', async ({ studio }) => {
  const { page, url } = studio
  await deadCalls(studio, 3)
  await page.goto(`${url}/operate/outbox`)
  await page.getByRole('search', { name: 'Calls' }).getByLabel('State').selectOption('dead')
  await expect(page).toHaveURL(/state=dead/)
  await page.getByLabel('Failed only').check()
  await page.getByRole('search', { name: 'Calls' }).getByLabel('Credential').selectOption('ledger')
  await expect(page.getByText('No call matches. Change the filter.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Requeue all/ })).toBeDisabled()
  await page.getByRole('search', { name: 'Calls' }).getByLabel('Credential').selectOption('bank')
  await expect(page).toHaveURL(/credential=bank/)
  await expect(rows(page)).toHaveCount(3)
  await page.reload()
  await expect(rows(page)).toHaveCount(3)
  await page.getByRole('button', { name: /^Discard all 3/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard all dead calls' })
  await expect(dialog).toContainText('3 dead calls')
  await expect(dialog.getByRole('button', { name: 'Discard 3 calls' })).toBeDisabled()
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  target.status = 204
  target.received = 0
  await page.getByRole('button', { name: /^Requeue all 3/ }).click()
  await page.getByRole('button', { name: 'Requeue 3 calls' }).click()
  const action = page.getByRole('group', { name: 'Action over all dead calls' })
  await expect(action).toContainText('Done: 3 handled.')
  await expect(page.getByText('No call matches. Change the filter.')).toBeVisible()
  await expect.poll(() => target.received).toBe(3)
})

test('a call shows what it sends, and no secret', async ({ studio }) => {
  const { page, url, call } = studio
  await deadCalls(studio, 1)
  const [row] = await callsIn(studio, 'dead', 1)
  await page.goto(`${url}/operate/outbox/${row!.id}`)
  const content = page.getByRole('region', { name: 'What it sends' })
  await expect(detail(page).getByRole('link', { name: 'Call 1', exact: true })).toBeVisible()
  await expect(content.getByRole('definition')).toHaveText(['"Call 1"', '"Call 1"'])
  expect(await violations(page)).toEqual([])
  // Without the right on the field, the value is not there either.
  const path = '/metadata/v3/components/permission_set/administrator'
  const { component } = await call<{ component: { body: { fields: object } } }>('GET', path)
  const body = { ...component.body, fields: {} }
  await call('POST', '/metadata/v3/apply', { components: [{ ...component, body }], rationale: 'Hidden' })
  await page.reload()
  await expect(content).toContainText('2 not shown')
  await expect(content.getByRole('definition')).toHaveText(['not shown to you', 'not shown to you'])
  await expect(rows(page).getByRole('link', { name: /^customer …/ })).toBeVisible()
  await expect(page.getByText('Call 1')).toHaveCount(0)
  await page.keyboard.press('Tab')
  await detail(page).getByRole('button', { name: 'Close the call' }).focus()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/operate\/outbox$/)
})

test('a call that a different user has dealt with is shown as it is now', async ({ studio }) => {
  const { page, url, call } = studio
  await deadCalls(studio, 1)
  const [row] = await callsIn(studio, 'dead', 1)
  await page.goto(`${url}/operate/outbox/${row!.id}?state=dead`)
  await expect(detail(page).getByRole('heading', { name: 'Why it failed' })).toBeVisible()
  // Nothing is read again before the click.
  const reads = (url: URL): boolean => url.pathname.startsWith('/setup/v3/outbox')
  await page.route(reads, (route) => (route.request().method() === 'GET' ? undefined : route.continue()))
  await call('POST', `/setup/v3/outbox/${row!.id}/resolve`, { reason: 'Booked by hand' })
  const refused = page.waitForResponse((response) => response.url().endsWith('/requeue'))
  await detail(page).getByRole('button', { name: 'Requeue' }).click()
  await refused
  await page.unroute(reads)
  await expect(detail(page).getByRole('alert')).toContainText('The row is resolved.')
  await expect(detail(page)).toContainText('Booked by hand')
  await expect(detail(page).getByRole('heading', { name: 'Why it failed' })).toBeVisible()
  await expect(rows(page).first()).toContainText('resolved')
})

test('an action that runs is shown after a reload and to others, who can stop it', async ({ studio }) => {
  const { page, url, call } = studio
  await deadCalls(studio, 2)
  await page.goto(`${url}/operate/outbox?state=open`)
  await expect(page.getByRole('button', { name: /all/ })).toHaveCount(0)
  await page.getByRole('link', { name: /Show the dead letters/ }).click()
  await expect(page).toHaveURL(/state=dead/)
  // The job is as it is while it runs.
  const { job } = await call<{ job: string }>('POST', '/setup/v3/outbox/actions', {
    ...{ action: 'resolve', filter: {}, reason: 'Done by hand' },
  })
  let state = 'processing'
  await page.route('**/setup/v3/jobs**', async (route) => {
    const response = await route.fetch()
    const found = (await response.json()) as { jobs?: object[] }
    const changed = (each: object): object => ({ ...each, state, done: 1, finishedAt: null })
    const isAbort = route.request().method() === 'POST'
    if (isAbort) state = 'aborted'
    return route.fulfill({ json: found.jobs ? { ...found, jobs: found.jobs.map(changed) } : changed(found) })
  })
  await page.reload()
  const action = page.getByRole('group', { name: 'Action over all dead calls' })
  await expect(action).toContainText('1 of 2')
  const stopped = page.waitForRequest((request) => request.url().endsWith(`/jobs/${job}/abort`))
  await action.getByRole('button', { name: 'Stop' }).click()
  await stopped
  await expect(action).toContainText('Stopped')
})

test('a circuit breaker is forced open and closed, and a test call is made', async ({ studio }) => {
  const { page, url } = studio
  await deployCalls(studio, target.port)
  await page.goto(`${url}/operate/breakers`)
  const table = page.getByRole('table', { name: 'Circuit breakers' })
  await expect(table.getByRole('row', { name: /Bank gateway/ })).toContainText('closed')
  expect(await violations(page)).toEqual([])
  await table.getByRole('link', { name: 'Bank gateway' }).click()
  await expect(page.getByRole('button', { name: 'Open it' })).toBeDisabled()
  await page.getByLabel('Reason, which is kept in the audit').fill('The bank moves')
  await page.getByRole('button', { name: 'Open it' }).click()
  const region = page.getByRole('region', { name: 'Bank gateway' })
  await expect(region).toContainText('forced open')
  await expect(region).toContainText('The bank moves')
  await saveCustomer(studio, 'Call held')
  await page.getByRole('link', { name: 'Open calls' }).click()
  await expect(rows(page).first()).toContainText('held')
  await rows(page).first().getByRole('link', { name: 'bank.create_payment' }).click()
  await page.getByRole('link', { name: 'Open its circuit breaker' }).click()
  await page.getByLabel('Reason, which is kept in the audit').fill('It has moved')
  await page.getByRole('button', { name: 'Close it' }).click()
  await expect(region).toContainText('a user closed it')
  await expect.poll(() => target.received).toBe(1)
  await expect(region).toContainText('about 1 of 600 requests')
  target.status = 503
  await page.getByRole('button', { name: 'Call its URL' }).click()
  await expect(region).toContainText('it returned 503')
  expect(await violations(page)).toEqual([])
  await region.getByRole('link', { name: 'Open the trace' }).click()
  await expect(page.getByRole('region', { name: 'Trace' })).toContainText('callout')
})

test('a trace leads from a record over its calls, and back', async ({ studio }) => {
  const { page, url } = studio
  await deployCalls(studio, target.port)
  target.status = 503
  const id = await saveCustomer(studio, 'Call traced')
  await callsIn(studio, 'dead', 1)
  await page.goto(`${url}/records/customer/${id}`)
  await page.getByRole('link', { name: 'Trace of version 1' }).click()
  const trace = page.getByRole('region', { name: 'Trace' })
  for (const words of [
    'save customer',
    'attempt 1, 503 bank.create_payment',
    'attempt 3, 503',
    'dead: integration.remote_failed',
  ])
    await expect(trace.getByRole('button', { name: words })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await trace.getByRole('button', { name: 'attempt 1, 503' }).click()
  await expect(trace).toContainText('/v1/customers/{name}')
  await expect(trace.getByRole('link', { name: 'Call traced' })).toHaveAttribute(
    'href',
    `/records/customer/${id}`,
  )
  await trace.getByRole('link', { name: /dead letter/ }).click()
  await expect(detail(page)).toContainText('Bank', { ignoreCase: true })
  await page.getByRole('list', { name: 'Pages' }).getByRole('link', { name: 'Traces' }).click()
  await page.getByLabel('Kind').selectOption('attempt')
  await expect(
    page.getByRole('table', { name: 'Events of the execution trace' }).locator('tbody tr'),
  ).toHaveCount(3)
  await expect(page).toHaveURL(/kind=attempt/)
  // The key of a named credential is enough.
  await page.getByLabel('Component').fill('bank')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/subject=named_credential\/bank/)
  await expect(
    page.getByRole('table', { name: 'Events of the execution trace' }).locator('tbody tr'),
  ).toHaveCount(3)
  expect(await violations(page)).toEqual([])
})

test('a user without operations.manage sees only what every user has', async ({ studio, browser }) => {
  const { call, url } = studio
  const password = 'correct horse battery'
  const components = [{ type: 'permission_set', key: 'reader', label: 'Reader', body: {} }]
  await call('POST', '/metadata/v3/apply', { components, rationale: 'A reader' })
  const rita = { key: 'rita', name: 'Rita', groups: [], permissionSets: ['reader'], password }
  await call('POST', '/setup/v3/users', rita)
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${url}/operate/outbox`)
  await page.getByLabel('User').fill('rita')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(
    page.getByText('The outbox is shown to users with the permission operations.manage.'),
  ).toBeVisible()
  const rail = page.getByRole('navigation', { name: 'Activities' })
  await expect(rail.getByRole('link', { name: 'Home' })).toBeVisible()
  // What every user has: bulk jobs, channels and subscriptions.
  await rail.getByRole('link', { name: 'Operate' }).click()
  await expect(page).toHaveURL(/\/operate\/bulk$/)
  await expect(page.getByRole('list', { name: 'Pages' }).getByRole('link')).toHaveText([
    ...['Bulk jobs', 'Event channels', 'Subscriptions'],
  ])
  expect(await violations(page)).toEqual([])
  for (const part of ['breakers', 'trace', 'deliveries', 'deliveries/refused', 'deliveries/none']) {
    await page.goto(`${url}/operate/${part}`)
    await expect(page.getByText('with the permission operations.manage.')).toBeVisible()
  }
  await page.goto(`${url}/operate/deliveries/test`)
  await expect(page.getByText('they need the permission integration.manage_credentials.')).toBeVisible()
  await page.context().close()
})

test('the retries of a named credential are drawn as they are typed', async ({ studio }) => {
  const { page, url } = studio
  await deployCalls(studio, target.port)
  await page.goto(`${url}/c/named_credential/bank`)
  const picture = page.getByRole('region', { name: 'Attempts of a call' })
  await expect(picture.getByRole('listitem')).toHaveCount(3)
  await expect(picture).toContainText('after 60 ms to 120 ms')
  await picture.getByRole('link', { name: 'Circuit breaker and test call' }).click()
  await expect(page.getByRole('button', { name: 'Call its URL' })).toBeVisible()
})

test('the pages fit a telephone', async ({ studio }) => {
  const { page, url } = studio
  await deadCalls(studio, 1)
  const [call] = await callsIn(studio, 'dead', 1)
  // The bar of the dock counts errors and warnings.
  await page.goto(`${url}/new/external_service`)
  await page.locator('#new-key').fill('empty')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await expect(page.getByRole('region', { name: 'Dock' })).toContainText('2 errors')
  await page.setViewportSize({ width: 390, height: 844 })
  const paths = [
    'outbox',
    `outbox/${call!.id}`,
    'breakers',
    'breakers/bank',
    'trace',
    `trace/${call!.correlationId}`,
  ]
  for (const path of paths) {
    await page.goto(`${url}/operate/${path}`)
    await expect(page.locator('.ledger td, .kv dd, .part').locator('visible=true').first()).toBeVisible()
    expect.soft(await violations(page), path).toEqual([])
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, path).toBeLessThanOrEqual(0)
  }
})

test('Enter in the reason of a dead letter does not send it again', async ({ studio }) => {
  const { page, url } = studio
  await deadCalls(studio, 1)
  const [row] = await callsIn(studio, 'dead', 1)
  await page.goto(`${url}/operate/outbox/${row!.id}`)
  const { received } = target
  await detail(page)
    .getByLabel(/^Reason/)
    .fill('Old')
  await page.keyboard.press('Enter')
  await detail(page).getByRole('button', { name: 'Discard' }).click()
  await expect(detail(page)).toContainText('discarded')
  expect(target.received).toBe(received)
})

test('an action over all calls of a filter is not offered for a different one', async ({ studio }) => {
  const { page, url } = studio
  await deadCalls(studio, 2)
  await page.goto(`${url}/operate/outbox?credential=ledger`)
  await expect(page.getByText('No call matches. Change the filter.')).toBeVisible()
  await page
    .getByRole('link', { name: /^Dead letters/ })
    .first()
    .click()
  await expect(page).toHaveURL(/state=dead/)
  await page.getByRole('button', { name: /^Discard all 2/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Discard all dead calls' })
  await expect(dialog).toContainText('2 dead calls')
  await page.goBack()
  await expect(page).toHaveURL(/credential=ledger/)
  await expect(dialog).toHaveCount(0)
})
