// Apps: their places, their entries and flags, and guided flows that save once.
import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { layBills } from './support/bills.ts'
import { expect, test, type Studio } from './support/test.ts'
import { visit } from './support/visit.ts'

test.beforeEach(() => test.setTimeout(120_000))

const numbersOf = async ({ call }: Studio): Promise<unknown[]> => {
  const { records } = await call<{ records: { fields: { number: string } }[] }>('POST', '/data/v3/query', {
    ...{ object: 'bill', fields: ['number'], orderBy: [{ field: 'number' }] },
  })
  return records.map(({ fields }) => fields.number)
}

async function fillFirstStep(page: Page, number: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Payer' }).fill('hamm')
  await page.getByRole('option', { name: 'Packhaus Hamm' }).click()
  await page.getByRole('textbox', { name: 'Number' }).fill(number)
  await page.getByRole('button', { name: 'Next' }).click()
}

test('apps are listed in their order, and their flags apply to what is opened in them', async ({
  studio,
}) => {
  const { page } = studio
  const { bill } = await layBills(studio)
  await page.goto(`${studio.url}/`)
  await page.getByRole('navigation', { name: 'Activities' }).getByRole('link', { name: 'Apps' }).click()
  const list = page.getByRole('region', { name: 'Apps' })
  await expect(list.getByRole('link')).toHaveText(['Archive', 'Desk'])
  await list.getByRole('link', { name: 'Desk' }).click()
  await expect(list.getByRole('link')).toHaveText([
    'Archive',
    'Desk',
    'New bill',
    'Start page',
    'Bill',
    'Payer',
  ])
  expect(await violations(page)).toEqual([])

  await list.getByRole('link', { name: 'Start page' }).click()
  await expect(
    page.getByRole('group', { name: 'All bills' }).getByRole('row', { name: /B-1/ }),
  ).toContainText('90.00')
  await page.getByRole('link', { name: 'B-1' }).click()
  await expect(page).toHaveURL(new RegExp(`/apps/desk/records/bill/${bill}$`))
  await expect(page.getByLabel('Total', { exact: true })).toHaveText('90.00')
  await page.getByRole('button', { name: 'virtual formula: why Total has this value' }).click()
  await expect(page.getByRole('complementary', { name: 'Why this value' })).toContainText('90.00')
  await list.getByRole('link', { name: 'Bill', exact: true }).click()
  await expect(page.getByRole('row', { name: /B-1/ })).toContainText('90.00')
  await visit(page, `${studio.url}/records/bill/${bill}`)
  await expect(page.getByLabel('Total', { exact: true })).toHaveText('100.00')
})

test('a list on a page of an app names the reference along which a field is read', async ({ studio }) => {
  const { page } = studio
  await layBills(studio)
  await page.goto(`${studio.url}/apps/desk/pages/start`)
  await expect(page.getByRole('columnheader')).toHaveText(['Number', 'Payer: City', 'Total'])
})

test('a lookup field on a page of an app opens the record that is chosen', async ({ studio }) => {
  const { page } = studio
  const { payer } = await layBills(studio)
  await page.goto(`${studio.url}/apps/desk/pages/start`)
  await page.getByRole('combobox', { name: 'Find a payer' }).fill('pack')
  await page.getByRole('option', { name: 'Packhaus Hamm' }).click()
  await expect(page).toHaveURL(new RegExp(`/apps/desk/records/payer/${payer}$`))
  await expect(page.getByRole('heading', { name: 'Packhaus Hamm' })).toBeVisible()
})

test('a flow checks each step, leads to the field of a refused save, and adds one record', async ({
  studio,
}) => {
  const { page } = studio
  await layBills(studio)
  await page.goto(`${studio.url}/apps/desk/flows/add?step=2`)
  const steps = page.getByRole('list', { name: 'Steps' })
  await expect(page).toHaveURL(/step=1$/)
  // The second step is not open before the first is complete.
  await expect(steps.getByRole('listitem').first()).toHaveAttribute('aria-current', 'step')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Payer is required.')).toBeVisible()
  await expect(page.getByText('Number is required.')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Payer' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await fillFirstStep(page, 'B-1')
  await page.getByRole('textbox', { name: 'Net' }).fill('ten')
  await page.getByRole('textbox', { name: 'Net' }).press('Enter')
  await expect(page.getByText(/^"ten" is not a number/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Net' }).fill('50')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('textbox', { name: 'Number' })).toHaveValue('B-1')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Add Bill' }).click()
  // A different bill has the number, which the first step asks for.
  await expect(steps.getByRole('listitem').first()).toHaveAttribute('aria-current', 'step')
  await expect(page.getByRole('textbox', { name: 'Number' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Number' }).fill('B-7')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveValue('50')
  await page.getByRole('button', { name: 'Add Bill' }).dblclick()
  await expect(page.getByRole('heading', { name: 'B-7' })).toBeVisible()
  await expect(page).toHaveURL(/\/apps\/desk\/records\/bill\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('button', { name: 'Close B-7' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close New bill' })).toHaveCount(0)
  expect(await numbersOf(studio)).toEqual(['B-1', 'B-7'])
})

test('a save whose response was lost is repeated without a second record', async ({ studio }) => {
  const { page } = studio
  await layBills(studio)
  await page.goto(`${studio.url}/apps/desk/flows/add`)
  await fillFirstStep(page, 'B-8')
  await page.getByRole('textbox', { name: 'Net' }).fill('50')
  await page.route('**/data/v3/bill', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Add Bill' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'not responding' })).toBeVisible()
  await page.unroute('**/data/v3/bill')
  await page.getByRole('textbox', { name: 'Net' }).fill('60')
  await page.getByRole('button', { name: 'Add Bill' }).click()
  await expect(page.getByText('The Bill had already been added, without your last change.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveValue('50.00')
  expect(await numbersOf(studio)).toEqual(['B-1', 'B-8'])
})

const quote = {
  ...{ type: 'automation', key: 'quote', label: 'Quote' },
  body: {
    ...{ phase: 'invocable', grantedTo: ['administrator'], params: [{ key: 'of', type: 'text' }] },
    actions: [
      { key: 'no', type: 'raise', when: 'of == "B-0"', message: 'This number was withdrawn.', field: 'of' },
      { key: 'log', type: 'create', object: 'payer', values: { name: '"Quoted " + of' } },
    ],
    returns: { amount: '75.5', remark: '"Quoted as " + of' },
  },
}
const placed = (...keys: string[]): object[] => [
  {
    ...{ id: 's', section: 'S', columns: 1 },
    items: keys.map((key) => ({ id: key, type: 'field', key, inputs: {} })),
  },
]
const sales = {
  ...{ type: 'app', key: 'sales', label: 'Sales' },
  body: {
    flows: [
      {
        ...{ key: 'quoted', label: 'Quoted bill', object: 'bill' },
        steps: [
          {
            ...{ key: 'which', label: 'Which', sections: placed('number', 'payer') },
            invoke: { operation: 'quote', args: { of: 'number' }, into: { amount: 'net', remark: 'note' } },
          },
          { key: 'sum', label: 'Sum', sections: placed('net', 'note') },
        ],
      },
    ],
  },
}

test('a step of a flow calls an operation once for its values, and fills fields with what it returns', async ({
  studio,
}) => {
  const { page } = studio
  await layBills(studio)
  await studio.call('POST', '/metadata/v3/apply', { components: [quote, sales], rationale: 'test' })
  const quoted = async (): Promise<string[]> => {
    const { records } = await studio.call<{ records: { fields: { name: string } }[] }>(
      'POST',
      '/data/v3/query',
      {
        ...{
          object: 'payer',
          fields: ['name'],
          filter: 'name.startsWith("Quoted")',
          orderBy: [{ field: 'name' }],
        },
      },
    )
    return records.map(({ fields }) => fields.name)
  }
  await page.goto(`${studio.url}/apps/sales/flows/quoted`)
  await page.getByRole('textbox', { name: 'Number' }).fill('B-0')
  await page.getByRole('combobox', { name: 'Payer' }).fill('hamm')
  await page.getByRole('option', { name: 'Packhaus Hamm' }).click()
  const sum = page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'Sum' })
  await expect(sum).toBeDisabled()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('This number was withdrawn.', { exact: true })).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Number' })).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.getByRole('textbox', { name: 'Number' }).fill('B-5')
  // The response of the first call is lost.
  await page.route('**/invoke/v3/quote', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'not responding' })).toBeVisible()
  await page.unroute('**/invoke/v3/quote')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveValue('75.5')
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue('Quoted as B-5')
  expect(await quoted()).toEqual(['Quoted B-5'])
  // What the user enters over a returned value stays, because the number is the same.
  await page.getByRole('textbox', { name: 'Net' }).fill('70')
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveValue('70')
  expect(await quoted()).toEqual(['Quoted B-5'])
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('textbox', { name: 'Number' }).fill('B-6')
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveValue('75.5')
  await page.getByRole('button', { name: 'Add Bill' }).click()
  await expect(page.getByRole('heading', { name: 'B-6' })).toBeVisible()
  expect(await quoted()).toEqual(['Quoted B-5', 'Quoted B-6'])
})

test('the tabs of records have their names after a reload, before they are shown', async ({ studio }) => {
  const { page } = studio
  const { bill, payer } = await layBills(studio)
  await page.goto(`${studio.url}/apps/desk/records/bill/${bill}`)
  const tabs = page.getByRole('navigation', { name: 'Open pages' })
  await tabs.getByText('B-1').dblclick()
  await visit(page, `${studio.url}/records/payer/${payer}`)
  await tabs.getByText('Packhaus Hamm').dblclick()
  await visit(page, `${studio.url}/settings`)
  const reads: string[] = []
  page.on('request', (request) => reads.push(new URL(request.url()).pathname))
  await page.reload()
  await expect(tabs.getByRole('button', { name: 'Close B-1' })).toBeVisible()
  await expect(tabs.getByRole('button', { name: 'Close Packhaus Hamm' })).toBeVisible()
  expect(reads.filter((path) => path === '/setup/v3/record-names')).toHaveLength(1)
  expect(reads.filter((path) => path.includes(bill!) || path.includes(payer!))).toEqual([])
})

test('what is entered in a flow is there again, in its step, after a reload', async ({ studio }) => {
  const { page } = studio
  await layBills(studio)
  await page.goto(`${studio.url}/apps/desk/flows/add`)
  await fillFirstStep(page, 'B-8')
  await page.getByRole('textbox', { name: 'Net' }).fill('12.5')
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Net' })).toHaveValue('12.5')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('combobox', { name: 'Payer' })).toHaveValue('Packhaus Hamm')
  await expect(page.getByRole('textbox', { name: 'Number' })).toHaveValue('B-8')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Add Bill' }).click()
  await expect(page.getByRole('heading', { name: 'B-8' })).toBeVisible()
  // Once it is saved, the next one is empty.
  await page.goto(`${studio.url}/apps/desk/flows/add`)
  await expect(page.getByRole('textbox', { name: 'Number' })).toHaveValue('')
})

test('a double-click on "Next" does not press the button that saves, and the first field of a step has the focus', async ({
  studio,
}) => {
  const { page } = studio
  await layBills(studio)
  await page.goto(`${studio.url}/apps/desk/flows/add`)
  await page.getByRole('combobox', { name: 'Payer' }).fill('Pack')
  await page.getByRole('option', { name: 'Packhaus Hamm' }).click()
  await page.getByRole('textbox', { name: 'Number' }).fill('B-2')
  await page.getByRole('button', { name: 'Next' }).dblclick()
  const net = page.getByRole('textbox', { name: 'Net' })
  await expect(page.getByRole('button', { name: 'Add Bill' })).toBeVisible()
  await page.waitForTimeout(300)
  await expect(net).not.toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(page.getByRole('combobox', { name: 'Payer' })).toBeFocused()
  await page.getByRole('textbox', { name: 'Number' }).press('Enter')
  await expect(net).toBeFocused()
})

test('leaving a flow asks only if something was entered', async ({ studio }) => {
  const { page } = studio
  await layBills(studio)
  await page.goto(`${studio.url}/apps/desk/flows/add`)
  const start = page.getByRole('region', { name: 'Apps' }).getByRole('link', { name: 'Start page' })
  const dialog = page.getByRole('dialog', { name: 'Leave New bill?' })
  await expect(page.getByRole('textbox', { name: 'Number' })).toBeVisible()
  await start.click()
  await expect(page.getByRole('heading', { name: 'Start page' })).toBeVisible()
  await page.getByRole('region', { name: 'Apps' }).getByRole('link', { name: 'New bill' }).click()
  await page.getByRole('textbox', { name: 'Number' }).fill('B-9')
  await start.click()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByRole('textbox', { name: 'Number' })).toHaveValue('B-9')
  await page.getByRole('button', { name: 'Close New bill' }).click()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Close New bill' })).toBeVisible()
  await start.click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: 'Start page' })).toBeVisible()
  await page.getByRole('region', { name: 'Apps' }).getByRole('link', { name: 'New bill' }).click()
  await expect(page.getByRole('textbox', { name: 'Number' })).toHaveValue('')
})
