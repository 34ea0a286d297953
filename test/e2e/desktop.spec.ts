// The page in the desktop's window, with a stand-in for the bridge of the preload script.
import type { Page } from '@playwright/test'
import type { DesktopBridge, IpcCalls, IpcEvents } from '../../main/ipc-map.ts'
import { chooseFormAndJson } from './support/editor-view.ts'
import { layGround } from './support/ground.ts'
import { expect, test } from './support/test.ts'
import { visit } from './support/visit.ts'

interface Desktop {
  calls: { channel: keyof IpcCalls; ask: unknown }[]
  tell<K extends keyof IpcEvents>(channel: K, value: IpcEvents[K]): void
}

/** Gives every document of the page a bridge that records its calls. */
async function standIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const listeners = new Map<string, (value: never) => void>()
    const desktop: Desktop = {
      calls: [],
      tell: (channel, value) => listeners.get(channel)?.(value as never),
    }
    const almanac = {
      call: (channel, ask) => {
        desktop.calls.push({ channel, ask })
        return Promise.resolve(undefined as never)
      },
      on: (channel, listener) => {
        listeners.set(channel, listener)
        return () => void listeners.delete(channel)
      },
    } satisfies DesktopBridge
    Object.assign(window, { almanac, desktop })
  })
}

const tell = <K extends keyof IpcEvents>(page: Page, channel: K, value: IpcEvents[K]): Promise<void> =>
  page.evaluate(
    ([at, what]) => (window as unknown as { desktop: Desktop }).desktop.tell(at as K, what as IpcEvents[K]),
    [channel, value] as const,
  )

/** The commands that the page last reported as disabled. */
const unavailable = (page: Page): Promise<string[] | undefined> =>
  page.evaluate(() => {
    const calls = (window as unknown as { desktop: Desktop }).desktop.calls.filter(
      ({ channel }) => channel === 'menu/unavailable',
    )
    return (calls.at(-1)?.ask as { commands: string[] } | undefined)?.commands
  })

test('the native menu’s commands are carried out, and a link opens its URL without a reload', async ({
  studio,
}) => {
  const { page } = studio
  await standIn(page)
  await page.goto(studio.url)
  await page.locator('h1').first().waitFor()
  await page.evaluate(() => Object.assign(window, { sameDocument: true }))

  await tell(page, 'menu/command', 'command-palette')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await tell(page, 'menu/command', 'go-audit')
  await expect(page).toHaveURL(/\/audit$/)
  await tell(page, 'studio/go', '/generations?x=1')
  await expect(page).toHaveURL(/\/generations\?x=1$/)
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true)
})

test('the page reports what the menu can offer, and the palette shows the same', async ({ studio }) => {
  const { page } = studio
  await chooseFormAndJson(page)
  await standIn(page)
  await page.goto(studio.url)
  await expect.poll(() => unavailable(page)).toEqual(['keep', 'apply'])
  await page.keyboard.press('Control+k')
  const apply = page.getByRole('option', { name: 'Apply changes' })
  await expect(apply).toHaveAttribute('aria-disabled', 'true')
  await expect(apply).toContainText('no drafts')
  await apply.click({ force: true })
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')

  // Drafts have arrived: the menu is updated.
  await layGround(studio)
  await visit(page, `${studio.url}/c/config_set/vat_rate?view=form`)
  await page.locator('.view-line').first().waitFor()
  await expect.poll(() => unavailable(page)).toEqual([])
})
