// The people page: users, groups and permission sets, passwords, and what each user can see and do, and why.
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const password = 'correct horse battery'

async function openPeople(studio: Studio): Promise<void> {
  await layGround(studio)
  const authors = { systemPermissions: ['config.author'] }
  const fee = {
    ...{ cardinality: 'singleton', scopes: ['org'], fields: [{ key: 'note', type: 'text' }] },
    edit: { rate_authors: 'edit' },
  }
  await studio.call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'permission_set', key: 'rate_authors', label: 'Rate authors', body: authors },
      { type: 'config_set', key: 'fee', label: 'Fee', body: fee },
    ],
  })
  await studio.page.goto(`${studio.url}/people`)
}

test('a user is added, put in a group, signs in by a one-time link, and sees what the page described', async ({
  studio,
  browser,
}) => {
  const { page, url } = studio
  await openPeople(studio)
  await page.getByRole('button', { name: 'New group' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Finance')
  await dialog.getByLabel('Key').fill('finance')
  await page.keyboard.press('Enter')
  const group = page.getByRole('region', { name: 'About Finance' })
  await group.getByRole('checkbox', { name: 'Rate authors' }).check()
  await group.getByRole('button', { name: 'Save' }).click()
  await expect(group.getByRole('button', { name: 'Save' })).toBeDisabled()

  await page.getByRole('button', { name: 'New user' }).first().click()
  await dialog.getByLabel('Name').fill('Mara Lind')
  await dialog.getByLabel('User', { exact: true }).fill('mara')
  await dialog.getByRole('checkbox', { name: 'Finance' }).check()
  // The link is shown only once: neither the second click of a double-click nor one outside of the dialog closes it.
  const add = (await dialog.getByRole('button', { name: 'Add user' }).boundingBox())!
  const clickThere = (): Promise<void> => page.mouse.click(add.x + add.width / 2, add.y + add.height / 2)
  await clickThere()
  await page.waitForTimeout(200)
  await clickThere()
  const link = await dialog.locator('code').innerText()
  const close = dialog.getByRole('button', { name: 'Close without copying' })
  await expect(close).toBeDisabled()
  await page.mouse.click(5, 5)
  await page.keyboard.press('Escape')
  await close.click()
  await expect(dialog).toBeHidden()

  // What she can do, and through which permission sets.
  const permission = page
    .getByRole('region', { name: 'Permissions' })
    .getByRole('row', { name: /config\.author/ })
  await expect(permission).toContainText('Rate authors, through Finance')
  const rate = page.getByRole('region', { name: 'Sets and flags' }).getByRole('row', { name: /^fee / })
  await expect(rate).toContainText('values')
  await expect(rate).toContainText('Rate authors, through Finance')
  // On a narrow page, the words of each column wrap.
  const size = page.viewportSize()!
  for (const width of [1024, 390]) {
    await page.setViewportSize({ width, height: size.height })
    const table = page.getByRole('region', { name: 'Permissions' }).getByRole('table')
    await expect
      .poll(() => table.evaluate((element) => Math.round(element.getBoundingClientRect().right)))
      .toBeLessThanOrEqual(width)
  }
  await page.setViewportSize(size)

  const context = await browser.newContext()
  const mara = await context.newPage()
  await mara.goto(link)
  await expect(mara.getByRole('heading', { name: 'Choose a password' })).toBeVisible()
  expect(mara.url()).toBe(`${url}/sign-in`)
  await mara.getByLabel('Password', { exact: true }).fill(password)
  await mara.getByLabel('Repeat the password').fill(password)
  await mara.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(mara.getByRole('tree').getByText('fee', { exact: true })).toBeVisible()
  await mara.goto(`${url}/people`)
  await expect(mara.getByText('Managing users and groups needs the permission access.manage.')).toBeVisible()
  await expect(
    mara.getByRole('region', { name: 'Sets and flags' }).getByRole('row', { name: /^fee / }),
  ).toBeVisible()
  await mara.goto(link)
  await mara.getByLabel('Password', { exact: true }).fill(password)
  await mara.getByLabel('Repeat the password').fill(password)
  await mara.getByRole('button', { name: 'Set password and sign in' }).click()
  await expect(mara.getByRole('alert')).toContainText('This link was used or withdrawn, or has expired.')
  await context.close()
})

test('a password is set, a user is deactivated and reactivated, and the last manager stays', async ({
  studio,
  browser,
}) => {
  const { page, url, call } = studio
  await call('POST', '/setup/v3/users', { key: 'jon', name: 'Jon Abara' })
  await page.goto(`${url}/people`)
  await page.getByRole('table').getByRole('link', { name: 'Jon Abara' }).click()
  const sign = page.getByRole('region', { name: 'Sign-in' })
  await expect(sign).toContainText('Has no password. Never signed in.')
  await sign.getByRole('button', { name: 'Set a password' }).click()
  await sign.getByLabel('New password').fill('short')
  await sign.getByRole('button', { name: 'Set password' }).click()
  await expect(sign.getByRole('alert')).toContainText('12')
  await sign.getByLabel('New password').fill(password)
  await sign.getByRole('button', { name: 'Set password' }).click()
  await expect(sign).toContainText('Has a password.')

  const context = await browser.newContext()
  const signIn = () =>
    context.request.post(`${url}/session/password`, {
      data: { user: 'jon', password },
      headers: { origin: url },
    })
  expect((await signIn()).status()).toBe(200)
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await expect(page.getByText('is deactivated, cannot sign in and has no permissions')).toBeVisible()
  expect((await signIn()).status()).toBe(401)
  await page.getByRole('button', { name: 'Reactivate' }).click()
  await expect(page.getByRole('button', { name: 'Deactivate', exact: true })).toBeVisible()
  expect((await signIn()).status()).toBe(200)
  await context.close()

  await page.getByRole('list', { name: 'Users' }).getByRole('link', { name: 'Administrator' }).click()
  await page.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove my access' }).click()
  await expect(
    page.getByRole('alert').filter({ hasText: 'no active user would hold access.manage' }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Deactivate', exact: true })).toBeVisible()
})

test('users who take access from themselves are asked first', async ({ studio }) => {
  const { page, call } = studio
  await call('PUT', '/setup/v3/groups/tax', { version: null, name: 'Tax', permissionSets: ['administrator'] })
  await call('POST', '/setup/v3/users', { key: 'mara', name: 'Mara', permissionSets: ['administrator'] })
  await page.goto(`${studio.url}/people/users/admin`)
  const dialog = page.getByRole('dialog', { name: 'Remove your own access?' })
  const sets = page.getByRole('group', { name: /^Permission sets, assigned directly/ })
  const own = sets.getByRole('checkbox', { name: /^Administrator/ })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await own.uncheck()
  await save.click()
  await expect(dialog).toContainText('You lose Administrator.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(save).toBeEnabled()
  await expect(own).not.toBeChecked()

  // With a group that gives it, nothing is lost.
  await page.getByRole('checkbox', { name: /^Tax/ }).check()
  await save.click()
  await expect(page.getByText('Administrator saved.')).toBeVisible()
  await page.goto(`${studio.url}/people/groups/tax`)
  await page.getByRole('checkbox', { name: /^Administrator/ }).uncheck()
  await save.click()
  await expect(dialog).toContainText('You lose Administrator.')
  await dialog.getByRole('button', { name: 'Remove my access' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(async () => (await page.request.get(`${studio.url}/setup/v3/users`)).status()).toBe(403)
})

test('the second of two users who edit a user is shown who was first, and what was typed stays', async ({
  studio,
}) => {
  const { page, url, call } = studio
  const { version } = await call<{ version: string }>('POST', '/setup/v3/users', { key: 'jon', name: 'Jon' })
  await page.goto(`${url}/people/users/jon`)
  const form = page.getByRole('form', { name: 'User' })
  await form.getByLabel('Name').fill('Jon A.')
  await call('PUT', '/setup/v3/users/jon', { version, name: 'Jon Abara' })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'was changed by Administrator' })).toBeVisible()
  await expect(form.getByLabel('Name')).toHaveValue('Jon A.')
  await page.getByRole('button', { name: 'Show the current values' }).click()
  await expect(form.getByLabel('Name')).toHaveValue('Jon Abara')
  await form.getByLabel('Name').fill('Jon B.')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: 'Jon B.', exact: true })).toBeVisible()
})

test('what is typed into the forms of people is there again after a reload, except a password', async ({
  studio,
}) => {
  const { page, url } = studio
  await openPeople(studio)
  const dialog = page.getByRole('dialog', { name: 'New user' })
  await page.getByRole('button', { name: 'New user' }).first().click()
  await dialog.getByLabel('Name').fill('Mara Lind')
  await dialog.getByRole('checkbox', { name: 'Rate authors' }).check()
  await dialog.getByRole('radio', { name: 'First password' }).check()
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await page.reload()
  await expect(dialog.getByLabel('Name')).toHaveValue('Mara Lind')
  await expect(dialog.getByRole('checkbox', { name: 'Rate authors' })).toBeChecked()
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('')
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByLabel('User', { exact: true }).fill('mara')
  await dialog.getByRole('button', { name: 'Add user' }).click()

  const user = page.getByRole('form', { name: 'User' })
  await user.getByLabel('Name').fill('Mara Lindt')
  await page.reload()
  await expect(user.getByLabel('Name')).toHaveValue('Mara Lindt')
  await expect(dialog).toBeHidden()
  await user.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  await expect(user.getByLabel('Name')).toHaveValue('Mara Lind')

  await page.goto(`${url}/people`)
  const group = page.getByRole('dialog', { name: 'New group' })
  await page.getByRole('button', { name: 'New group' }).first().click()
  await group.getByLabel('Name').fill('Finance')
  await page.reload()
  await expect(group.getByLabel('Name')).toHaveValue('Finance')
  await group.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Users and groups', level: 1 })).toBeVisible()
  await expect(group).toBeHidden()
})

test('what is typed at the moment of a reload is there again', async ({ studio }) => {
  const { page, url, call } = studio
  await call('POST', '/setup/v3/users', { key: 'jon', name: 'Jon' })
  await page.goto(`${url}/people/users/jon`)
  const name = page.getByRole('form', { name: 'User' }).getByLabel('Name')
  await expect(name).toHaveValue('Jon')
  for (const typed of ['Jon Abara', 'Jon Abara-Lind']) {
    const reloaded = page.waitForEvent('load')
    await name.evaluate((input: HTMLInputElement, text) => {
      input.value = text
      input.dispatchEvent(new Event('input', { bubbles: true }))
      // After what Vue does in the same turn, and before anything that takes longer.
      queueMicrotask(() => queueMicrotask(() => location.reload()))
    }, typed)
    await reloaded
    await expect(name).toHaveValue(typed)
  }
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  await expect(name).toHaveValue('Jon')
})

test('an unchanged form follows the server', async ({ studio }) => {
  const { page, url, call } = studio
  const { version } = await call<{ version: string }>('POST', '/setup/v3/users', { key: 'jon', name: 'Jon' })
  await page.goto(`${url}/people/users/jon`)
  const form = page.getByRole('form', { name: 'User' })
  await expect(form.getByLabel('Name')).toHaveValue('Jon')
  await call('PUT', '/setup/v3/users/jon', { version, name: 'Jon Abara' })
  await expect(page.getByRole('heading', { name: 'Jon Abara', exact: true })).toBeVisible()
  await expect(form.getByLabel('Name')).toHaveValue('Jon Abara')
  await expect(form.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('a group whose form was not changed follows the server, and what was typed stays', async ({
  studio,
}) => {
  const { page, url, call } = studio
  const put = (version: string | null, name: string) =>
    call<{ version: string }>('PUT', '/setup/v3/groups/tax', { version, name, permissionSets: [] })
  const group = await put(null, 'Tax')
  await page.goto(`${url}/people/groups/tax`)
  const name = page.getByLabel('Name', { exact: true })
  await expect(name).toHaveValue('Tax')
  const changed = await put(group.version, 'Tax team')
  await expect(name).toHaveValue('Tax team')
  await name.fill('Tax desk')
  await put(changed.version, 'Tax office')
  await expect(page.getByRole('heading', { name: 'Tax office', exact: true })).toBeVisible()
  await expect(name).toHaveValue('Tax desk')
})

test('an invitation is shown with its creator, and is revoked', async ({ studio }) => {
  const { page, url, call } = studio
  await call('POST', '/setup/v3/users', { key: 'jon', name: 'Jon' })
  await page.goto(`${url}/people/users/jon`)
  const sign = page.getByRole('region', { name: 'Sign-in' })
  await sign.getByRole('button', { name: 'Create a one-time link' }).click()
  await expect(sign).toContainText(/Invited on .+, by Administrator \(operator .+\), expires /)
  await sign.getByRole('button', { name: 'Withdraw invitation' }).click()
  await expect(sign.getByRole('button', { name: 'Withdraw invitation' })).toBeHidden()
  await expect(sign.locator('code')).toBeHidden()
  expect(await call('GET', '/setup/v3/invitations')).toEqual({ invitations: [] })
})

test('pressing Enter twice adds a group once', async ({ studio }) => {
  const { page, url } = studio
  await page.goto(`${url}/people`)
  let sent = 0
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/setup/v3/groups/finance', async (route) => {
    sent += 1
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'New group' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Finance')
  await dialog.getByLabel('Key').fill('finance')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Add group' })).toBeDisabled()
  await page.keyboard.press('Enter')
  release()
  await expect(page.getByRole('heading', { name: 'Finance', exact: true })).toBeVisible()
  expect(sent).toBe(1)
})

test('a group is deleted after the page shows what its members lose, and the page follows others', async ({
  studio,
}) => {
  const { page, url, call } = studio
  await openPeople(studio)
  const group = { version: null, name: 'Finance', permissionSets: ['rate_authors'] }
  await call('PUT', '/setup/v3/groups/finance', group)
  await call('POST', '/setup/v3/users', { key: 'jon', name: 'Jon Abara', groups: ['finance'] })
  // Both were added in another window.
  await expect(page.getByRole('table').getByRole('link', { name: 'Jon Abara' })).toBeVisible()
  await page.goto(`${url}/people/groups/finance`)
  await page.getByRole('button', { name: 'Delete group…' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Jon Abara loses Rate authors.')
  await dialog.getByRole('button', { name: 'Delete group', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Users and groups', exact: true, level: 1 })).toBeVisible()
  const jon = await call<{ users: { key: string; groups: string[] }[] }>('GET', '/setup/v3/users')
  expect(jon.users.find(({ key }) => key === 'jon')?.groups).toEqual([])
})
