// The real Electron, if its binary is on the machine: the window opens the studio, without Node in the page.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, type ElectronApplication, expect, type Page, test } from '@playwright/test'
import type { DesktopBridge } from '../../main/ipc-map.ts'
import { electronBinary } from '../../main/launch/setup.mjs'

const root = resolve(import.meta.dirname, '../..')
const studio = /^http:\/\/127\.0\.0\.1:\d+\//
let place: string
let app: ElectronApplication
let page: Page

test.beforeEach(async () => {
  test.skip(electronBinary() === undefined, 'no Electron binary')
  place = mkdtempSync(join(tmpdir(), 'electron-'))
  app = await _electron.launch({
    executablePath: electronBinary()!,
    args: [root, `--user-data-dir=${place}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...(process.env as Record<string, string>), ALMANAC_ORG: join(place, 'sample') },
  })
  page = await app.firstWindow()
  await page.waitForURL(studio)
})
test.afterEach(async () => {
  if (electronBinary() === undefined) return
  await app.close()
  rmSync(place, { recursive: true, force: true })
})

test('opens the studio in a locked window', async () => {
  await expect(page).toHaveTitle(/Almanac/)
  expect(await page.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined')
  const about = await page.evaluate(() =>
    (globalThis as unknown as { almanac: DesktopBridge }).almanac.call('desktop/about', undefined),
  )
  expect(about.electron).toMatch(/^\d+\./)
  const denied = page.evaluate(() =>
    navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state),
  )
  expect(await denied).toBe('denied')
})

test('carries out a command of the native menu', async () => {
  await app.evaluate(({ Menu }) => Menu.getApplicationMenu()!.getMenuItemById('command-palette')!.click())
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeVisible()
})

test('returns to its URL after its server was killed', async () => {
  const origin = new URL(page.url()).origin
  await page.goto(`${origin}/audit`)
  const pid = await app.evaluate(({ app: running }) => {
    const server = running.getAppMetrics().find(({ name }) => name === 'Almanac server')
    return server!.pid
  })
  const back = page.waitForEvent('load')
  process.kill(pid, 'SIGKILL')
  await back
  await expect.poll(() => page.url(), { timeout: 30_000 }).toBe(`${origin}/audit`)
  await expect(page.getByRole('heading', { name: 'Audit' }).first()).toBeVisible()
})
