// A user who cannot make changes: forms and texts are read-only and give the reason, and no edit is offered that would
// be refused.
import type { Browser, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

const password = 'correct horse battery'

/** Rita, who holds a permission set with a read grant and no system permission, on a page. */
async function openAsReader(studio: Studio, browser: Browser, path: string): Promise<Page> {
  await layGround(studio)
  const { call, url } = studio
  const { component } = await call<{ component: { body: object; label: string } }>(
    'GET',
    '/metadata/v3/components/config_set/vat_rate',
  )
  await call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'permission_set', key: 'reader', label: 'Reader', body: {} },
      {
        type: 'config_set',
        key: 'vat_rate',
        label: component.label,
        body: { ...component.body, read: { administrator: 'read', reader: 'read' } },
      },
    ],
    rationale: 'A reader',
  })
  await call('POST', '/setup/v3/users', {
    key: 'rita',
    name: 'Rita',
    groups: [],
    permissionSets: ['reader'],
    password,
  })
  const page = await (await browser.newContext()).newPage()
  await page.goto(url + path)
  await page.getByLabel('User').fill('rita')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  return page
}

const why = /Read-only: Rita needs metadata\.author, config\.author or access\.manage/

test('a reader views a form and its text, and typing there starts no draft', async ({ studio, browser }) => {
  const page = await openAsReader(studio, browser, '/c/object/invoice')
  await expect(page.getByText(why)).toBeVisible()
  const form = page.getByRole('region', { name: 'Form of invoice' })
  await expect(form.getByLabel('Label').first()).toHaveValue('Invoice')
  await expect(form.getByLabel('Label').first()).toBeDisabled()
  // A folded line can still be opened.
  await form.getByRole('button', { name: /^vat/ }).click()
  await expect(form.getByRole('textbox', { name: /Expression/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'JSON', exact: true }).click()
  const text = page.locator('.split .view-lines')
  await expect(text).toContainText('"body"')
  await text.click()
  await page.keyboard.type('nothing of this stays')
  await expect(text).not.toContainText('nothing of this stays')
  await expect(page.getByRole('button', { name: 'Actions' })).toHaveCount(0)
  await page.context().close()
})

test('a reader is offered no new component, no import and no editing in a sheet', async ({
  studio,
  browser,
}) => {
  const page = await openAsReader(studio, browser, '/c/config_set/vat_rate')
  const cell = page.getByRole('gridcell', { name: '0.1900' }).first()
  await cell.dblclick()
  await page.keyboard.type('0.5')
  await expect(page.getByRole('gridcell', { name: '0.5000' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'New component' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.goto(`${studio.url}/c/config_set/vat_rate?import`)
  await expect(page.getByText(why)).toBeVisible()
  await expect(page.getByLabel('File to import')).toHaveCount(0)
  await visit(page, `${studio.url}/new/config_set`)
  await expect(page.getByText(why)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create draft' })).toHaveCount(0)
  await page.context().close()
})
