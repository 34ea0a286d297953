// Deploy, as a user sees it: two real servers, a relay between them that cuts and alters, and another user who
// approves there.
import type { Page } from '@playwright/test'
import { done, newRemote } from '../support/remote-requests.ts'
import { violations } from './support/axe.ts'
import { activeOf, apply, expect, known, test, valueSet } from './support/two-studios.ts'

const row = (page: Page, title: string) => page.locator('.cmp .chg', { hasText: title })

test('shows the org at a URL before pinning it, and rejects a URL that is not an Almanac server', async ({
  ground,
}) => {
  const { page, relay, secret, go } = ground
  await go('/deploy')
  await page.getByRole('button', { name: 'Add a remote' }).click()
  const dialog = page.getByRole('dialog')
  expect(await violations(page)).toEqual([])
  await dialog.getByLabel('Name', { exact: true }).fill('Over there')
  await expect(dialog.getByLabel('Key')).toHaveValue('over_there')
  await dialog.getByLabel('URL').fill(relay.url)
  await dialog.getByRole('button', { name: 'Client' }).click()
  await dialog.getByLabel('Client', { exact: true }).fill('local')
  const reach = async (): Promise<void> => {
    await dialog.getByLabel('Secret').fill(secret)
    await dialog.getByRole('button', { name: 'Connect' }).click()
  }
  const json = { 'content-type': 'application/json' }
  const retired = JSON.stringify({ code: 'protocol.retired_version', detail: 'v3 is retired.' })
  relay.behave(/GET \/setup\/v3\/org/, {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: '<h1>',
  })
  await reach()
  await expect(dialog.getByRole('alert')).toContainText('text/html instead of JSON')
  relay.heal()
  relay.behave(/GET \/setup\/v3\/org/, { status: 410, headers: json, body: retired })
  await reach()
  await expect(dialog.getByRole('alert')).toContainText('a version of the protocol other than v3')
  relay.heal()
  await reach()
  await expect(dialog).toContainText('Is this the org you mean?')
  await expect(dialog).toContainText('Kestrel There')
  await dialog.getByRole('button', { name: 'No, remove it' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No remote yet')).toBeVisible()

  done(await ground.here.studio('POST', '/setup/v3/remotes', newRemote(relay.url, secret)))
  const { body } = await ground.there.studio<{ lineage: string }>('GET', '/setup/v3/org')
  const otherLineage = '0197d0e4-0000-7000-8000-000000000000'
  relay.behave(/GET \/setup\/v3\/org/, (text) => text.replace(body.lineage, otherLineage))
  await go('/deploy/there')
  await page.getByRole('button', { name: 'Review the new org' }).click()
  await expect(page.getByRole('dialog')).toContainText(otherLineage)
  await page.getByRole('button', { name: 'Pin the new org' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
})

test.describe('production', () => {
  test.use({ thereIs: 'prod' })
  test('receives the selected changes after its name is typed, and is rolled back', async ({ ground }) => {
    const { page, here, there } = ground
    await known(ground)
    await apply(here.studio, [valueSet('mine', 'Mine'), valueSet('left', 'Left')])
    await row(page, 'value set Left').getByRole('checkbox').uncheck()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await row(page, 'value set Mine').click()
    await expect(page.getByRole('region', { name: 'Before and after' })).toContainText('"key": "mine"')
    await page.getByRole('textbox', { name: 'Rationale' }).fill('Spring')
    await page.getByRole('button', { name: 'Validate on the remote' }).click()
    const push = page.getByRole('button', { name: 'Push 1 change' })
    await expect(push).toBeDisabled()
    expect(await violations(page)).toEqual([])
    expect(await activeOf(there.studio)).toBe(1)
    await page.getByLabel('Type the name of the remote org, Kestrel There').fill('kestrel there')
    await expect(push).toBeDisabled()
    await page.getByLabel('Type the name of the remote org, Kestrel There').fill('Kestrel There')
    await push.click()
    await expect(page.getByText('Generation 2 is active on the remote: 1 change.')).toBeVisible()
    await expect(row(page, 'value set Left')).toBeVisible()
    await expect(row(page, 'value set Mine')).toBeHidden()

    await page.getByRole('link', { name: 'History' }).click()
    await expect(page.getByRole('row', { name: /from this org.*1 added.*Spring/ })).toBeVisible()
    await page.getByRole('button', { name: 'Restore 1…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Review the restore' }).click()
    const restore = page.getByRole('button', { name: 'Restore, with 1 change' })
    await expect(restore).toBeDisabled()
    await expect(page.getByRole('region', { name: /^Restore/ })).toContainText('1 removed')
    expect(await activeOf(there.studio)).toBe(2)
    await page.getByLabel('Type the name of the remote org, Kestrel There').fill('Kestrel There')
    await restore.click()
    await expect(page.getByText('Generation 3 is active on the remote: 1 change.')).toBeVisible()
    expect(await activeOf(there.studio)).toBe(3)
  })
})

test('more differences than are loaded: exactly the selected ones are pushed', async ({ ground }) => {
  const { page, here, there } = ground
  await known(ground)
  const many = Array.from({ length: 320 }, (_, n) => valueSet(`bulk_${n}`, `Bulk ${n}`))
  await apply(here.studio, [...many, valueSet('zz_last', 'Last'), valueSet('zz_other', 'Other')])
  const header = page.getByRole('checkbox', { name: 'Everything in this list' })
  const head = page.locator('.cmp .colh')
  await expect(head).toContainText('322 of 322 rows ticked')
  await header.uncheck()
  await expect(head).toContainText('0 of 322 rows ticked')
  await expect(page.getByRole('button', { name: 'Validate on the remote' })).toBeDisabled()
  await page.getByRole('searchbox', { name: 'Part of a key' }).fill('zz_')
  await expect(head).toContainText('0 of 2 rows ticked')
  await header.check()
  await expect(head).toContainText('2 of 2 rows ticked')
  await row(page, 'value set Other').getByRole('checkbox').uncheck()
  await page.getByRole('searchbox', { name: 'Part of a key' }).fill('bulk_')
  await expect(head).toContainText('0 of 320 rows ticked')
  await expect(page.getByText('1 component is pushed, with what it needs. 1 of them is not in')).toBeVisible()
  await page.getByRole('button', { name: 'Validate on the remote' }).click()
  const push = page.getByRole('button', { name: 'Push 1 change' })
  await expect(header).toBeDisabled()
  await push.click()
  await expect(page.getByText('Generation 2 is active on the remote: 1 change.')).toBeVisible()
  const { body } = await there.studio<{ components: { key: string }[] }>(
    'GET',
    '/metadata/v3/components?type=value_set',
  )
  expect(body.components.map(({ key }) => key)).toEqual(['zz_last'])
})

test('changes by others there are shown by name, not overwritten, and no longer drift once seen', async ({
  ground,
}) => {
  const { page, here, there, go } = ground
  await apply(there.studio, [valueSet('both', 'At first')])
  await apply(here.studio, [valueSet('both', 'At first')])
  await known(ground)
  await apply(there.studio, [valueSet('both', 'There')], 'A hot fix')
  await apply(here.studio, [valueSet('both', 'Here'), valueSet('mine', 'Mine')])
  await go('/deploy')
  await expect(page.getByText('1 generation by others since you last looked')).toBeVisible()
  await page.getByRole('link', { name: 'There', exact: true }).click()
  const drift = page.getByRole('region', { name: 'Drift' })
  await expect(drift).toContainText('A hot fix')
  await drift.getByRole('button', { name: 'Compare now' }).click()
  await expect(row(page, 'value set Here')).toContainText('Changed on the remote by others: At first → There')
  await expect(row(page, 'value set Here').getByRole('checkbox')).not.toBeChecked()
  await expect(row(page, 'value set Mine').getByRole('checkbox')).toBeChecked()
  await drift.getByRole('button', { name: 'Mark as seen' }).click()
  await expect(drift).toBeHidden()
  await expect(row(page, 'value set Here')).toContainText('changed locally')
})

test('a connection that is lost during a push is resumed, and nothing is applied twice', async ({
  ground,
}) => {
  const { page, here, there, relay } = ground
  await known(ground)
  await apply(here.studio, [valueSet('mine', 'Mine')])
  await expect(row(page, 'value set Mine')).toBeVisible()
  await page.getByRole('button', { name: 'Validate on the remote' }).click()
  const push = page.getByRole('button', { name: 'Push 1 change' })
  await expect(push).toBeEnabled()
  // The connection fails before the other org receives the request.
  relay.behave(/POST \/metadata\/v3\/apply/, 'cut')
  relay.behave(/GET/, 'cut')
  await push.click()
  await expect(
    page.getByText(/It is not known whether the change list was applied on the remote/),
  ).toBeVisible()
  relay.heal()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByText('Generation 2 is active on the remote: 1 change.')).toBeVisible()
  expect(await activeOf(there.studio)).toBe(2)
  expect(relay.passed.filter((line) => line === 'POST /metadata/v3/apply')).toHaveLength(1)
})

test('a remote that requires approvals gets a change request, and applies it after another user approves', async ({
  ground,
}) => {
  const { page, here, there, ben } = ground
  await known(ground)
  done(await there.studio('PUT', '/setup/v3/approvals', { required: 1 }))
  await apply(here.studio, [valueSet('mine', 'Mine')])
  await page.reload()
  await page.getByLabel('Title of the change request').fill('Rates of spring')
  await page.getByRole('button', { name: 'Validate on the remote' }).click()
  await page.getByRole('button', { name: 'Ask for approval' }).click()
  await expect(page.getByText('0 of 1 approval on the remote.')).toBeVisible()
  const link = await page
    .getByRole('link', { name: 'Open the change request on the remote' })
    .getAttribute('href')
  const id = link!.split('/').at(-1)!
  const { body } = await ben<{ digest: string; title: string }>('GET', `/metadata/v3/change-requests/${id}`)
  expect(body.title).toBe('Rates of spring')
  done(await ben('POST', `/metadata/v3/change-requests/${id}/approve`, { digest: body.digest }))
  await page.getByRole('button', { name: 'Apply on the remote' }).click()
  await expect(page.getByText('Generation 2 is active on the remote: 1 change.')).toBeVisible()
  expect(await activeOf(there.studio)).toBe(2)
})

test('if no secret can be stored, the desktop offers a plain text file', async ({ ground }) => {
  const { page, go } = ground
  // The bridge of a desktop without a keychain, until the user allows a file.
  await page.addInitScript(() => {
    const calls: string[] = []
    Object.assign(window, {
      calls,
      almanac: {
        on: () => () => undefined,
        call: (channel: string) => {
          calls.push(channel)
          return Promise.resolve({ kept: 'file', path: '/home/mara/remote-secrets.json' })
        },
      },
    })
  })
  await page.route('**/setup/v3/remotes', async (route) => {
    const hasCustody = await page.evaluate('window.calls.includes("keychain/choose-file")')
    const reason = 'No keychain is running.'
    const custody = { kind: 'keychain', kept: hasCustody, ...(hasCustody ? {} : { reason }) }
    await route.fulfill({ json: { remotes: [], custody } })
  })
  await go('/deploy')
  await expect(page.getByText('No keychain is running.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a remote' })).toBeDisabled()
  await page.getByRole('button', { name: 'Store them in a file' }).click()
  await expect(page.getByText('now stored in /home/mara/remote-secrets.json')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add a remote' })).toBeEnabled()
})
