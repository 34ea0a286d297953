// Nothing is lost: a large paste survives the window, a server that dies leaves the sheet visible, and a draft that is
// discarded elsewhere disappears here.
import type { Locator, Page } from '@playwright/test'
import { layGround } from './support/ground.ts'
import { expect, test, type Studio } from './support/test.ts'

const sheet = (page: Page): Locator => page.getByRole('grid', { name: 'Entries' })
const foot = (page: Page): Locator => page.locator('.sheet-foot')
const rates = '/c/config_set/vat_rate'
const isKeep = /\/setup\/v3\/drafts$/

async function openRates(studio: Studio): Promise<Page> {
  await layGround(studio)
  const { drafts } = await studio.call<{ drafts: { id: string }[] }>('GET', '/setup/v3/drafts')
  for (const { id } of drafts) await studio.call('DELETE', `/setup/v3/drafts/${id}`)
  await studio.page.goto(studio.url + rates)
  await expect(foot(studio.page)).toContainText('4 entries')
  await sheet(studio.page).focus()
  return studio.page
}

/** Rows below the last: a key, a rate, a currency, a scope and a first day each. */
async function pasteRows(page: Page, many: number): Promise<void> {
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await sheet(page).evaluate((grid, count) => {
    const rows = Array.from({ length: count }, (_, at) => `X${at}\t0.25\tEUR\torg\t2020-01-01`)
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', rows.join('\n'))
    grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, many)
  await expect(foot(page)).toContainText(`${(many + 4).toLocaleString('en-GB')} entries`)
}

const draftsOf = async ({ call }: Studio): Promise<number> =>
  (await call<{ drafts: number }>('GET', '/setup/v3/org')).drafts

for (const many of [6000, 12_000])
  test(`${many.toLocaleString('en-GB')} pasted rows survive a window that closes before they are saved`, async ({
    studio,
  }) => {
    test.setTimeout(180_000)
    const page = await openRates(studio)
    const context = page.context()
    await context.route(isKeep, (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await pasteRows(page, many)
    await expect(foot(page)).toContainText('Not saved yet')
    // The page gets no unload event: it is gone immediately.
    await page.goto('about:blank')
    await context.unroute(isKeep)
    const other = await context.newPage()
    await other.goto(studio.url + rates)
    await expect(foot(other)).toContainText(`${(many + 4).toLocaleString('en-GB')} entries`)
    await expect.poll(() => draftsOf(studio), { timeout: 120_000 }).toBe(many)
    await other.close()
  })

test.describe('of a user who came through the link of the machine', () => {
  test.use({ ownProcess: true })

  test('a server that starts again without the session is reported as such, not as missing', async ({
    studio,
  }) => {
    const page = await openRates(studio)
    await studio.kill()
    const lost = page.getByRole('alert').filter({ hasText: 'No connection to the server' })
    await expect(lost).toBeVisible()
    await studio.start()
    await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible()
    await expect(lost).toHaveCount(0)
  })
})

test.describe('of a user who signed in', () => {
  const person = { user: 'mara', password: 'correct horse battery' }
  test.use({
    ownProcess: true,
    people: [{ key: person.user, name: 'Mara Tamm', password: person.password }],
  })

  test('while the server is down the sheet stays visible and can be edited, and one message reports it', async ({
    studio,
  }) => {
    await studio.page.request.post(`${studio.url}/session/password`, {
      headers: { origin: studio.url },
      data: person,
    })
    const page = await openRates(studio)
    await pasteRows(page, 20)
    await expect.poll(() => draftsOf(studio)).toBe(20)
    await studio.kill()
    await expect(page.getByRole('alert').filter({ hasText: 'No connection to the server' })).toBeVisible()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('0.2')
    await page.keyboard.press('Enter')
    await expect(foot(page)).toContainText('Not saved yet')
    await expect(page.getByRole('gridcell', { name: '0.2000' }).first()).toBeVisible()
    await expect(
      page.locator('main').getByRole('alert').filter({ hasText: 'is not responding' }),
    ).toHaveCount(1)
    await expect(page.getByText('No history yet')).toHaveCount(0)
    await studio.start()
    await expect.poll(() => draftsOf(studio), { timeout: 30_000 }).toBe(21)
    await expect(foot(page)).not.toContainText('Not saved yet')
    // Edits from before the outage can still be undone.
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect(foot(page)).toContainText('4 entries')
    await expect.poll(() => draftsOf(studio)).toBe(0)
  })
})

test('the text in an open cell is restored after a reload, in an old row and in a new one', async ({
  studio,
}) => {
  const page = await openRates(studio)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('0.27')
  await page.reload()
  const editor = page.getByRole('textbox', { name: 'Rate, row 1' })
  await expect(editor).toHaveValue('0.27')
  await expect(editor).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => draftsOf(studio)).toBe(1)
  await page.reload()
  await expect(page.getByRole('gridcell', { name: '0.2700' })).toBeVisible()
  await expect(editor).toHaveCount(0)
  await page.getByRole('gridcell', { name: '0.2700' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Home')
  await page.keyboard.type('X')
  await expect(page.locator('.sheet-editor input')).toHaveValue('X')
  await page.reload()
  await expect(page.locator('.sheet-editor input')).toHaveValue('X')
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(foot(page)).toContainText('4 entries')
  await expect(page.locator('.sheet-editor')).toHaveCount(0)
})

for (const arrives of [true, false])
  test(`an apply whose response is lost ${arrives ? 'after it was written' : 'before it arrived'} is looked up and reported`, async ({
    studio,
  }) => {
    const page = await openRates(studio)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('0.3')
    await page.keyboard.press('Enter')
    await expect.poll(() => draftsOf(studio)).toBe(1)
    await page.goto(`${studio.url}/changes`)
    const why = page.getByRole('textbox', { name: 'Rationale' })
    await why.fill('Because.')
    let isLost = true
    await page.route('**/metadata/v3/apply', async (route) => {
      if (!isLost) return route.continue()
      if (arrives) await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Apply 1 change' }).click()
    const notice = page.getByRole('status').filter({ hasText: 'The connection was lost before' })
    if (arrives) {
      await expect(
        page.getByText(
          'Generation 3 was applied. The connection was lost before the server could confirm it.',
        ),
      ).toBeVisible()
      await expect(why).toHaveValue('')
      await expect(page.getByRole('heading', { name: 'Nothing to review' })).toBeVisible()
      return
    }
    await expect(notice).toContainText('No generation was written, and all drafts are still here')
    await expect(why).toHaveValue('Because.')
    isLost = false
    await page.getByRole('button', { name: 'Apply 1 change' }).click()
    await expect(page.getByRole('region', { name: 'Applied' })).toContainText('Generation 3 is active')
    await expect(notice).toHaveCount(0)
  })

for (const answer of ['heard', 'on its way'] as const)
  test(`a draft that another window discards, its response ${answer}, disappears here and is typed again without a conflict`, async ({
    studio,
  }) => {
    const page = await openRates(studio)
    const discard = () => studio.call('DELETE', '/setup/v3/drafts/config_entry/vat_rate.de_2021_01_01')
    if (answer === 'on its way')
      await page.route(
        '**/setup/v3/drafts',
        async (route) => {
          const response = await route.fetch()
          await discard()
          await page.waitForTimeout(1000)
          await route.fulfill({ response })
        },
        { times: 1 },
      )
    const rate = page.getByRole('gridcell', { name: '0.3000' })
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('0.3')
    await page.keyboard.press('Enter')
    await expect(rate).toBeVisible()
    if (answer === 'heard') {
      await expect.poll(() => draftsOf(studio)).toBe(1)
      await discard()
    }
    await expect(rate).toHaveCount(0)
    await page.keyboard.type('0.4')
    await page.keyboard.press('Enter')
    await expect.poll(() => draftsOf(studio)).toBe(1)
    await expect(page.locator('.sheet-conflict')).toHaveCount(0)
  })
