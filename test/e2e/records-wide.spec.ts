// Records of an object with many fields: the grid draws the columns in view, and keys lead to the others.
import { violations } from './support/axe.ts'
import { expect, test, type Studio } from './support/test.ts'

const count = 200
const rights = { create: true, read: true, update: true, delete: true, viewAll: true, modifyAll: true }

async function layWide({ call }: Studio): Promise<string[]> {
  const { component } = await call<{ component: { body: { objects: object; fields: object } } }>(
    'GET',
    '/metadata/v3/components/permission_set/administrator',
  )
  const fields = Array.from({ length: count }, (_, at) => ({
    ...{ key: `f_${at}`, label: `Field ${at}` },
    ...(at % 2 === 0 ? { type: 'text' } : { type: 'number', precision: 12, scale: 2 }),
  }))
  const grants = fields.map(({ key }) => [`wide.${key}`, { read: true, edit: true }])
  await call('POST', '/metadata/v3/apply', {
    components: [
      { type: 'object', key: 'wide', label: 'Wide', body: { nameField: 'f_0', fields } },
      {
        ...component,
        body: {
          ...component.body,
          objects: { ...component.body.objects, wide: rights },
          fields: { ...component.body.fields, ...Object.fromEntries(grants) },
        },
      },
    ],
    rationale: 'Wide',
  })
  const { results } = await call<{ results: { id: string }[] }>('POST', '/data/v3/wide/batch', {
    records: Array.from({ length: 50 }, (_, at) => ({
      op: 'insert',
      fields: { f_0: `W-${at}`, f_199: '7' },
    })),
  })
  return results.map(({ id }) => id)
}

test('a grid with 200 columns draws those in view, and the last one is reached and edited by keys', async ({
  studio,
}) => {
  const { page, call } = studio
  test.setTimeout(120_000)
  const [id] = await layWide(studio)
  await page.goto(`${studio.url}/records/wide`)
  const grid = page.getByRole('grid', { name: 'Wide' })
  await expect(grid.getByRole('row')).toHaveCount(51)
  await expect(grid).toHaveAttribute('aria-colcount', String(count))
  const cells = grid.getByRole('row').nth(1).getByRole('gridcell')
  expect(await cells.count()).toBeLessThan(40)
  expect(await violations(page)).toEqual([])

  await cells.first().click()
  await page.keyboard.press('End')
  const last = grid.getByRole('gridcell', { selected: true })
  await expect(last).toHaveAttribute('aria-colindex', String(count))
  await expect(last).toBeInViewport()
  await expect(last).toHaveText('7.00')
  await page.keyboard.type('8.5')
  await page.keyboard.press('Enter')
  await expect
    .poll(
      async () =>
        (await call<{ fields: Record<string, string> }>('GET', `/data/v3/wide/${id}`)).fields['f_199'],
    )
    .toBe('8.50')
  expect(await cells.count()).toBeLessThan(40)

  // An open cell stays while the user looks at other columns.
  await page.keyboard.press('F2')
  const editor = page.getByRole('textbox', { name: /^Field 199, row/ })
  await editor.fill('9')
  await page.getByRole('region', { name: 'Records of Wide' }).evaluate((element) => element.scrollTo(0, 0))
  await expect(grid.getByRole('columnheader', { name: 'Field 0', exact: true })).toBeInViewport()
  await expect(editor).toHaveValue('9')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Home')
  await expect(grid.getByRole('gridcell', { selected: true })).toHaveText(/^W-/)
})
