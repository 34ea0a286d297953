// The gallery: every attribute live and in the URL, every source as described, parts, references.
import type { Locator, Page } from '@playwright/test'
import type { SvcLookupField } from '../../../elements/index.ts'
import { draftRate, layGround } from '../support/ground.ts'
import { draftOf, layLayout, top } from '../support/layout.ts'
import { expect, test } from '../support/test.ts'

const live = (page: Page): Locator => page.getByRole('region', { name: 'Live field' })
const field = (page: Page): Locator => live(page).locator('svc-lookup-field')
const box = (page: Page): Locator => live(page).locator('[part=input]')
const options = (page: Page): Locator => live(page).locator('[part=option]')
const logRows = (page: Page): Locator => page.getByRole('log', { name: 'Events and calls' }).getByRole('row')
const knob = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: 'Attributes of the field' }).getByLabel(name, { exact: true })
const attributesOf = (element: Locator): Promise<Record<string, string>> =>
  element.evaluate((one) => Object.fromEntries([...one.attributes].map(({ name, value }) => [name, value])))

const leave = (page: Page): Promise<void> => page.keyboard.press('Tab')
test.beforeEach(() => test.setTimeout(120_000))

test('every attribute is a control, live, in the markup and in the URL', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/lookup?mode=edit&source=large&label=Customer`)
  await expect(box(page)).toBeVisible()
  const known = await page.evaluate(
    () => (customElements.get('svc-lookup-field') as unknown as typeof SvcLookupField).observedAttributes,
  )
  const labels = page.getByRole('region', { name: 'Attributes of the field' }).locator('form label')
  // The other attributes belong to every element; the gallery sets `dir` with the source.
  expect((await labels.allTextContents()).map((text) => text.trim()).sort()).toEqual(
    [...known.filter((name) => !/^(dir|title|aria-.+)$/.test(name)), 'direction'].sort(),
  )
  await knob(page, 'label').fill('Buyer')
  await knob(page, 'min-chars').fill('2')
  await knob(page, 'required').check()
  await knob(page, 'message').fill('Who "pays"')
  await page.getByRole('button', { name: 'rtl' }).click()
  const attributes = {
    mode: 'edit',
    label: 'Buyer',
    'min-chars': '2',
    required: '',
    message: 'Who "pays"',
    dir: 'rtl',
  }
  await expect.poll(() => attributesOf(field(page))).toEqual(attributes)
  await expect(live(page).getByRole('combobox', { name: 'Buyer' })).toHaveAttribute('aria-required', 'true')
  await expect(page.getByLabel('Markup', { exact: true })).toContainText('message="Who &quot;pays&quot;"')
  await expect(page.getByLabel('Markup', { exact: true })).toContainText('dir="rtl"')
  // The same, in read mode and inline.
  await expect(page.getByRole('region', { name: 'As inline' }).locator('svc-lookup-field')).toHaveAttribute(
    'inline',
  )
  await expect(page.getByRole('region', { name: 'As read' }).locator('[part=link]')).toBeVisible()
  await page.reload()
  await expect(box(page)).toBeVisible()
  expect(await attributesOf(field(page))).toEqual(attributes)
  await box(page).fill('a')
  await expect(live(page).getByRole('option')).toHaveText(['Type 1 more character'])
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect
    .poll(() => attributesOf(field(page)))
    .toEqual({
      ...{ mode: 'edit', label: 'Customer', 'display-fields': 'city,number', dir: 'rtl' },
      ...{ value: 'made-00001', display: 'Alpen Handel AG' },
    })
})

test('it searches the open org, without any other network, and logs what happened', async ({ studio }) => {
  const { page } = studio
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(studio.url)) elsewhere.push(request.url())
  })
  await layGround(studio)
  await page.goto(`${studio.url}/lookup`)
  // The first state, and those in read mode: of a record of the source.
  await expect(field(page)).toHaveAttribute('value', /\//)
  await expect(field(page)).toHaveAttribute('mode', 'edit')
  const states = page.getByRole('list', { name: 'States' })
  await states.getByRole('button', { name: 'Read, with a link' }).click()
  await expect(live(page).getByRole('link')).toHaveAttribute('href', /^\/c\//)
  await states.getByRole('button', { name: 'Edit', exact: true }).click()
  const opened = logRows(page).filter({ has: page.getByText('open', { exact: true }) })
  await box(page).fill('split')
  await expect(opened.first()).toContainText('true')
  await expect(logRows(page).filter({ hasText: '“split”' }).first()).toContainText('search answered')
  await options(page).filter({ hasText: 'split_payment' }).first().click()
  await expect(opened.first()).toContainText('false')
  await expect
    .poll(() => attributesOf(field(page)))
    .toMatchObject({
      ...{ value: 'feature_flag/split_payment', display: 'split_payment' },
      href: '/c/feature_flag/split_payment',
    })
  await expect(logRows(page).filter({ hasText: 'svc-lookup-change' })).toContainText(
    'feature_flag/split_payment',
  )
  await expect(logRows(page).filter({ hasText: '“split”' }).first()).toContainText(
    /search answered.*display label, type/,
  )
  await expect(page.getByRole('region', { name: 'As read' }).getByRole('link')).toHaveAttribute(
    'href',
    '/c/feature_flag/split_payment',
  )
  await live(page).getByRole('button', { name: 'Clear Component' }).click()
  await expect(logRows(page).filter({ hasText: 'svc-lookup-clear' })).toHaveCount(1)
  await expect(knob(page, 'value')).toHaveValue('')
  // A field that the server does not search is matched in the page.
  await knob(page, 'match-fields').fill('type')
  await box(page).fill('feature fl')
  await expect(options(page)).toHaveText([/^split_payment/])
  await knob(page, 'match-fields').fill('')
  await page.getByRole('button', { name: 'vat_rate, by territory' }).click()
  await box(page).click()
  // Four rows of Germany and two drafts of Croatia: each key once.
  await expect(options(page)).toHaveText([/^DE.*since 2021-01-01, 4 entries/, /^HR/])
  // What is added to the org later is found too.
  await draftRate(studio, 'FR')
  await expect(async () => {
    await box(page).fill('')
    await box(page).fill('fr')
    await expect(options(page)).toHaveText([/^FR/], { timeout: 2000 })
  }).toPass({ timeout: 20_000 })
  await page.route('**/setup/v3/principals?*', async (route) => {
    const answer = await route.fetch()
    const people = (await answer.json()) as object
    await route.fulfill({ json: { ...people, groups: [{ key: 'admins', name: 'Administration' }] } })
  })
  await page.getByRole('button', { name: 'Users and groups' }).click()
  await box(page).fill('adm')
  await expect(options(page)).toHaveText([/^Administrator.*admin/, /^Administration.*admins, group/])
  expect(elsewhere).toEqual([])
})

test('slow, out of order, failing, empty: outdated requests are cancelled and never shown', async ({
  studio,
}) => {
  const { page } = studio
  await page.goto(`${studio.url}/lookup?source=slow&mode=edit&label=Customer&search-delay=0`)
  await box(page).pressSequentially('alp', { delay: 60 })
  await expect(options(page).first()).toContainText('Alpen')
  await expect(logRows(page).filter({ hasText: 'search cancelled' }).filter({ hasText: '“al”' })).toHaveCount(
    1,
  )
  await page.getByRole('button', { name: 'Out of order' }).click()
  await box(page).pressSequentially('baltic', { delay: 60 })
  await expect(logRows(page).filter({ hasText: '“b”: returned later, ignored' })).toHaveCount(1)
  await expect(options(page).first()).toContainText('Baltic')
  await page.getByRole('button', { name: 'Failing' }).click()
  await box(page).fill('hansa')
  await live(page).getByRole('option', { name: 'The search failed. Try again' }).click()
  await expect(options(page).first()).toContainText('Hansa')
  await expect(logRows(page).filter({ hasText: 'search failed' }).first()).toContainText('“hansa”')
  // The failed request was not cancelled.
  const off = await logRows(page).filter({ hasText: 'search cancelled' }).count()
  await expect(page.getByRole('region', { name: 'State', exact: true })).toContainText(`, ${off} cancelled`)
  await page.getByRole('button', { name: 'Empty', exact: true }).click()
  await box(page).fill('x')
  await expect(live(page).getByRole('option')).toHaveText(['No matches for “x”'])
})

test('endless, large, right to left, very long: lists that stay lists', async ({ studio }) => {
  const { page } = studio
  await page.goto(`${studio.url}/lookup?source=endless&mode=edit&label=Record`)
  await box(page).click()
  await expect(options(page).first()).toContainText('Record 1')
  await live(page)
    .locator('[part=listbox]')
    .evaluate((list) => (list.scrollTop = list.scrollHeight))
  await expect(logRows(page).filter({ hasText: 'page at 40' })).toContainText('search answered')
  await page.getByRole('button', { name: 'Large' }).click()
  await box(page).click()
  await expect(options(page).first()).toHaveAttribute('aria-setsize', '10000')
  expect(await options(page).count()).toBeLessThan(60)
  await page.keyboard.press('ArrowUp')
  await expect(options(page).last()).toHaveAttribute('aria-posinset', '10000')
  await page.getByRole('button', { name: 'Right to left' }).click()
  await expect(field(page)).toHaveAttribute('dir', 'rtl')
  await box(page).click()
  await expect(options(page)).toHaveCount(6)
  await page.getByRole('button', { name: 'Very long text' }).click()
  await expect(field(page)).not.toHaveAttribute('dir')
  await box(page).click()
  await expect(options(page)).toHaveCount(4)
  const wide = (part: string): Promise<number> =>
    live(page)
      .locator(`[part=${part}]`)
      .first()
      .evaluate((one) => one.getBoundingClientRect().width)
  expect(await wide('listbox')).toBeLessThanOrEqual((await wide('combo')) + 1)
})

test('a selected part is outlined, and the accessibility tree is shown', async ({ studio }) => {
  const { page } = studio
  await page.goto(`${studio.url}/lookup?source=large&mode=edit&label=Customer&message=Pick%20one&required=`)
  const outline = (part: string): Promise<string> =>
    live(page)
      .locator(`[part=${part}]`)
      .first()
      .evaluate((one) => getComputedStyle(one).outlineStyle)
  for (const part of ['label', 'combo', 'icon', 'input', 'message']) {
    expect(await outline(part), part).toBe('none')
    await page.getByRole('button', { name: part, exact: true }).hover()
    await expect.poll(() => outline(part), part).toBe('solid')
  }
  await page.getByRole('button', { name: 'option', exact: true }).click()
  await page.getByRole('tab', { name: 'Accessibility' }).click()
  const tree = page.getByRole('list', { name: 'Accessibility tree of the live field' })
  await expect(tree).toContainText('combobox “Customer”')
  await expect(tree).toContainText('required, described by “Pick one”')
  await expect(tree).not.toContainText('listbox “Customer”')
  await box(page).fill('fjord')
  await expect(options(page).first()).toContainText('Fjord')
  await expect.poll(() => outline('option')).toBe('solid')
  await expect(
    tree.getByRole('listitem').filter({ hasText: /option.*active, selected, 1 of 1000/ }),
  ).toHaveCount(1)
  await expect(tree).toContainText('expanded, required, described by “Pick one”, focused')
  await knob(page, 'disabled').check()
  await expect(tree.getByRole('listitem').filter({ hasText: 'combobox' })).toContainText(
    /“Customer”.*, disabled/,
  )
  // The same part is pressed again.
  const chip = page.getByRole('button', { name: 'option', exact: true })
  await chip.click()
  await expect(chip).toHaveAttribute('aria-pressed', 'false')
})

test('another source selects nothing from the old one; the log is cleared, and what is shown is copied', async ({
  studio,
}) => {
  const { page } = studio
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(
    `${studio.url}/lookup?source=large&mode=edit&label=Customer&match-fields=name&value=made-00001&display=Alpen`,
  )
  await box(page).fill('fjord')
  await expect(logRows(page).filter({ hasText: '“fjord”' }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(logRows(page).filter({ hasText: '“fjord”' })).toHaveCount(0)
  const copied = async (): Promise<string> => {
    await page.getByRole('button', { name: 'Copy' }).click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied()).toMatch(/^<svc-lookup-field\s[^]*value="made-00001"/)
  await page.getByRole('tab', { name: 'Script' }).click()
  expect(await copied()).toContain("document.querySelector('svc-lookup-field')")
  await page.getByRole('button', { name: 'Endless' }).click()
  await expect(field(page)).toHaveAttribute('label', 'Record')
  expect(Object.keys(await attributesOf(field(page))).sort()).toEqual(['label', 'mode'])
  await expect(box(page)).toHaveValue('')
})

test('an owner is found by the stored name', async ({ studio }) => {
  const { page } = studio
  await layGround(studio)
  await page.goto(`${studio.url}/c/feature_flag/split_payment`)
  const owner = page.getByRole('region', { name: 'Form of' }).getByRole('combobox', { name: /^Owner/ })
  await owner.fill('user:adm')
  await expect(page.getByRole('option', { name: /^user:admin/ })).toBeVisible()
})

test('a reference in a form is picked with keys: in full, in part, one that does not exist, none', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top)
  await page.goto(`${studio.url}/c/layout/invoice_page`)
  const object = page.getByRole('region', { name: 'Form of' }).getByRole('combobox', { name: 'Object' })
  await expect(object).toHaveValue('invoice')
  await expect(object).toHaveAccessibleDescription(/The object whose records the page shows/)
  const drafted = async (): Promise<unknown> =>
    ((await draftOf(studio))?.body as { object?: string } | undefined)?.object
  // Half a name selects nothing, however the field is left.
  await object.fill('inv')
  await leave(page)
  await expect(object).toHaveValue('invoice')
  await object.fill('receipt')
  await page.getByRole('option', { name: /receipt does not exist yet/ }).click()
  await expect.poll(drafted).toBe('receipt')
  // The fault of a field is shown once it is left.
  await leave(page)
  await expect(object).toHaveAttribute('aria-invalid', 'true')
  await object.fill('INVOICE')
  await page.keyboard.press('Escape')
  await leave(page)
  await expect.poll(drafted).toBeUndefined()
  await expect(object).toHaveValue('invoice')
  await object.fill('')
  await leave(page)
  await expect.poll(async () => (await draftOf(studio)) === undefined).toBe(false)
  await expect(object).toHaveValue('')
})

test('a field that is left before the names are loaded accepts a name in full, and not half of one', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top)
  await studio.call('PUT', '/setup/v3/drafts/object/receipt', {
    text: JSON.stringify({ type: 'object', key: 'receipt', label: 'Receipt', body: { fields: [] } }),
    version: 0,
  })
  const drafted = async (): Promise<unknown> =>
    ((await draftOf(studio))?.body as { object?: string } | undefined)?.object
  for (const [text, draft] of [
    ['inv', undefined],
    ['receipt', 'receipt'],
  ] as const) {
    let load = (): void => undefined
    const loaded = new Promise<void>((done) => (load = done))
    await page.route(/components\?.*type=object/, async (route) => {
      await loaded
      await route.fallback()
    })
    await page.goto(`${studio.url}/c/layout/invoice_page`)
    const object = page.getByRole('region', { name: 'Form of' }).getByRole('combobox', { name: 'Object' })
    await expect(object).toHaveValue('invoice')
    await object.fill(text)
    await leave(page)
    await expect(object).toHaveValue('invoice')
    const names = page.waitForResponse(/components\?.*type=object/)
    load()
    await (await names).finished()
    // The studio has read the names by then; a page that is left earlier would save what was typed.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 200)))
    await expect(object).toHaveValue(draft ?? 'invoice')
    await expect.poll(drafted).toBe(draft)
  }
})

test('a reference typed in full is accepted when it is saved, and when its page is left, with the focus in it', async ({
  studio,
}) => {
  const { page } = studio
  await layLayout(studio, top)
  await studio.call('PUT', '/setup/v3/drafts/object/receipt', {
    text: JSON.stringify({ type: 'object', key: 'receipt', label: 'Receipt', body: { fields: [] } }),
    version: 0,
  })
  await page.goto(`${studio.url}/lookup?view=placement&layout=invoice_page`)
  await page.getByRole('link', { name: 'Whole layout' }).click()
  const object = page.getByRole('region', { name: 'Form of' }).getByRole('combobox', { name: 'Object' })
  const drafted = async (): Promise<unknown> =>
    ((await draftOf(studio))?.body as { object?: string } | undefined)?.object
  await expect(object).toHaveValue('invoice')
  // The options may still be loading.
  await expect(async () => {
    await object.fill('')
    await object.fill('rec')
    await expect(page.getByRole('option', { name: /^receipt Receipt/ })).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('All drafts saved.')).toBeVisible()
  expect(await drafted()).toBeUndefined()
  await object.fill('receipt')
  await page.keyboard.press('Control+s')
  await expect.poll(drafted).toBe('receipt')
  await expect(object).toBeFocused()
  await object.fill('INVOICE')
  await page.goBack()
  await expect(page).toHaveURL(/view=placement/)
  await expect.poll(drafted).toBeUndefined()
  await page.goForward()
  await object.fill('receipt')
  await page.reload()
  await expect.poll(drafted).toBe('receipt')
  await expect(object).toHaveValue('receipt')
})
