// Every page in all three themes: axe finds nothing, at either of the sizes that the studio is drawn for.
import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layGround, layRemote, layRequest } from './support/ground.ts'
import { expect, test } from './support/test.ts'

interface Sight {
  name: string
  path: string
  ready: string
  act?: (page: Page) => Promise<unknown>
}

const pages = (resultId: string): Sight[] => [
  { name: 'home', path: '/', ready: '.homehead h1' },
  { name: 'entries', path: '/c/config_set/vat_rate', ready: '[role=row] >> text=0.1900' },
  { name: 'import', path: '/c/config_set/vat_rate?import', ready: '.dropzone' },
  { name: 'definition', path: '/c/config_set/vat_rate?view=form', ready: '.split .frow' },
  { name: 'entry at fault', path: '/c/config_entry/vat_rate.hr_2012_03_01', ready: '.said-by' },
  { name: 'object', path: '/c/object/invoice', ready: '.split .frow' },
  { name: 'flag', path: '/c/feature_flag/split_payment', ready: '.split .frow' },
  { name: 'new', path: '/new/config_set', ready: '#new-key' },
  { name: 'missing', path: '/c/config_set/nothing', ready: 'h1:has-text("is not there")' },
  { name: 'changes', path: '/changes', ready: '.chg' },
  {
    name: 'changes, text',
    path: '/changes',
    ready: '.chg',
    act: async (page) => {
      await page.getByRole('button', { name: 'Words and text' }).click()
      await page.locator('.textdock .view-line').first().waitFor()
    },
  },
  { name: 'requests', path: '/requests', ready: '.ledger td' },
  {
    name: 'request',
    path: '/requests',
    ready: '.ledger td',
    act: async (page) => {
      await page.getByRole('link', { name: 'Colours of the catalogue' }).first().click()
      await page.locator('.chg').first().waitFor()
    },
  },
  { name: 'playground', path: '/playground?set=vat_rate&key=DE&asOf=2020-08-01', ready: '.walk .hit' },
  { name: 'results', path: '/results', ready: '.tree li' },
  { name: 'result', path: `/results/${resultId}`, ready: '.bytes' },
  { name: 'time', path: '/time/vat_rate?key=DE', ready: '.spot' },
  { name: 'time, list', path: '/time/vat_rate?key=DE&view=list', ready: '.list td' },
  {
    name: 'time, whole set',
    path: '/time/vat_rate?view=set&a=2@2020-08-01&b=2@2026-01-01',
    ready: '.whole .ledger td',
  },
  { name: 'time, stored value', path: `/time/vat_rate?key=DE&result=${resultId}`, ready: '.bytes' },
  { name: 'flags', path: '/flags', ready: '.flags td' },
  { name: 'flag in detail', path: '/flags/split_payment', ready: '#flag-owner' },
  { name: 'search', path: '/search?q=vat', ready: '.hit mark' },
  { name: 'generations', path: '/generations', ready: '.chg' },
  { name: 'audit', path: '/audit', ready: '.ledger td' },
  { name: 'deploy', path: '/deploy', ready: '.ledger .env' },
  { name: 'remote', path: '/deploy/itself?local=drafts', ready: '.cmp .chg' },
  { name: 'remote, history', path: '/deploy/itself?view=history', ready: '.ledger td' },
  { name: 'remote, activity', path: '/deploy/itself?view=activity', ready: '.ledger td' },
  {
    name: 'lookup, list open',
    path: '/lookup?source=large&mode=edit&label=Customer&display-fields=city&required=',
    ready: '.live [part=input]',
    act: async (page) => {
      await page.getByRole('tab', { name: 'Accessibility' }).click()
      await page.locator('.live [part=input]').click()
      await page.locator('.live [part=option]').first().waitFor()
    },
  },
  {
    name: 'lookup, states',
    path: '/lookup?source=large&mode=read&label=Customer&value=made-00001&display=Alpen%20Handel%20AG&message=Who%20pays',
    ready: '.specs [part=link]',
  },
  { name: 'lookup, placement', path: '/lookup?view=placement', ready: '.placetext .view-line' },
  { name: 'settings', path: '/settings', ready: '#settings-required' },
  {
    name: 'two sides, by app, events',
    path: '/c/object/invoice',
    ready: '.split .frow',
    act: async (page) => {
      await page.keyboard.press('Control+\\')
      await page.getByRole('button', { name: 'App', exact: true }).click()
      await page.getByRole('tab', { name: 'Events' }).click()
      await page.getByRole('treeitem', { name: 'in no app' }).waitFor()
    },
  },
  { name: 'sign-in', path: '/sign-in', ready: 'h1:has-text("Sign in")' },
  { name: 'nowhere', path: '/no/such/page', ready: 'h1' },
]

// Contrast is a matter of the theme, order and folding one of the size: every theme and both sizes are seen.
const sights = [
  { theme: 'light', size: { width: 1440, height: 900 } },
  { theme: 'dark', size: { width: 1024, height: 700 } },
  { theme: 'contrast', size: { width: 1024, height: 700 } },
] as const

/** High contrast is a choice of its own; the others are the system's. */
async function inTheme(page: Page, theme: (typeof sights)[number]['theme']): Promise<void> {
  await page.emulateMedia({ colorScheme: theme === 'light' ? 'light' : 'dark', reducedMotion: 'reduce' })
  if (theme === 'contrast') await page.evaluate(() => localStorage.setItem('almanac.theme', 'contrast'))
}

for (const { theme, size } of sights) {
  test(`axe finds nothing on any page, ${theme}, ${size.width} by ${size.height}`, async ({ studio }) => {
    test.setTimeout(600_000)
    const { page } = studio
    const resultId = await layGround(studio)
    await layRemote(studio)
    await layRequest(studio)
    await page.setViewportSize(size)
    await inTheme(page, theme)
    for (const { name, path, ready, act } of pages(resultId)) {
      await page.goto(studio.url + path)
      await page.locator(ready).first().waitFor()
      await act?.(page)
      await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
      expect.soft(await violations(page), name).toEqual([])
    }
  })

  test(`axe finds nothing in any dialog, ${theme}, ${size.width} by ${size.height}`, async ({ studio }) => {
    test.setTimeout(240_000)
    const { page } = studio
    await layGround(studio)
    await page.setViewportSize(size)
    await inTheme(page, theme)
    for (const { name, open } of dialogs) {
      await page.goto(`${studio.url}/c/config_set/vat_rate`)
      await page.getByRole('row').nth(1).waitFor()
      await open(page)
      await page.getByRole('dialog').waitFor()
      expect.soft(await violations(page), name).toEqual([])
    }
  })
}

const dialogs: { name: string; open: (page: Page) => Promise<unknown> }[] = [
  { name: 'palette', open: (page) => page.keyboard.press('Control+k') },
  { name: 'shortcuts', open: (page) => page.getByRole('button', { name: 'Keyboard shortcuts' }).click() },
  { name: 'new component', open: (page) => page.getByRole('button', { name: 'New component' }).click() },
  { name: 'new value', open: (page) => page.getByRole('button', { name: 'New value from' }).click() },
]
