// Bulk jobs in the studio: a file is mapped and uploaded, its rows are followed, and failed ones are sent again.
import type { Locator, Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { chooseFile, deployContacts, loadRows } from './support/bulk.ts'
import { expect, test } from './support/test.ts'

const results = (page: Page): Locator =>
  page.getByRole('region', { name: 'Rows of the job' }).locator('tbody tr')
const jobRows = (page: Page): Locator => page.getByRole('table', { name: 'Bulk jobs' }).locator('tbody tr')

const file = [
  'Code,Full name,Amount,Customer since,Region code,Fax',
  'C-1,Ada,10.50,2020-01-31,DE,1',
  'C-2,"Bo, Ltd.",-1,2021-02-28,DE,2',
  'C-3,Cy,3,2022-03-31,XX,3',
  'C-4,Di,4,2023-04-30,,4',
].join('\n')

test('a file is mapped, loaded, and its failed rows are corrected and sent again', async ({ studio }) => {
  const { page, url } = studio
  await deployContacts(studio)
  await page.goto(`${url}/operate/outbox`)
  await page.getByRole('list', { name: 'Pages' }).getByRole('link', { name: 'Bulk jobs' }).click()
  await expect(page.getByText('No bulk job yet.')).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'New job' }).click()
  await expect(page.getByRole('button', { name: 'Start upload' })).toBeDisabled()
  await page.getByLabel('Object').selectOption('contact')
  await expect(page.getByLabel('External ID')).toHaveValue('code')
  await chooseFile(page, 'contacts.csv', file)

  const columns = page.getByRole('table', { name: 'Columns of the file' })
  const values = columns.getByRole('combobox')
  await expect(values).toHaveCount(6)
  const chosen = () => values.evaluateAll((all) => all.map((each) => (each as HTMLSelectElement).value))
  await expect.poll(chosen).toEqual(['code', 'name', 'amount', 'since', 'region.code', ''])
  await expect(page.getByText('5 of 6 columns loaded')).toBeVisible()
  expect(await violations(page)).toEqual([])
  // A problem is named before anything is sent.
  await columns.getByLabel('Field for Fax').selectOption('since')
  await expect(columns.getByRole('row', { name: /^Fax/ })).toContainText(
    '“Customer since” is loaded into the same field.',
  )
  await expect(page.getByRole('button', { name: 'Start upload' })).toBeDisabled()
  await columns.getByLabel('Field for Fax').selectOption('')
  // What was chosen is there after another page was shown.
  await page.getByRole('list', { name: 'Pages' }).getByRole('link', { name: 'Outbox' }).click()
  await page
    .getByRole('navigation', { name: 'Open pages' })
    .getByRole('link', { name: 'New bulk job' })
    .click()
  await expect.poll(chosen).toEqual(['code', 'name', 'amount', 'since', 'region.code', ''])
  await page.getByRole('button', { name: 'Start upload' }).click()

  await expect(page).toHaveURL(/\/operate\/bulk\/[0-9a-f-]{36}$/)
  await expect(page.getByRole('heading', { name: 'upsert into contact by code' })).toBeVisible()
  await expect(page.getByText('completed, rows failed')).toBeVisible()
  await expect(page.getByText('4 rows processed.')).toBeVisible()
  await expect(results(page)).toHaveCount(4)
  await expect(results(page).nth(1)).toContainText('The amount is negative.')
  await expect(results(page).nth(2)).toContainText('no record of region has the value "XX" in code')
  await expect(results(page).nth(1)).toContainText('3')
  expect(await violations(page)).toEqual([])
  await page.getByRole('group', { name: 'Outcome' }).getByRole('button', { name: 'Failed 2' }).click()
  await expect(page).toHaveURL(/outcome=failed/)
  await expect(results(page)).toHaveCount(2)
  await page.reload()
  await expect(results(page)).toHaveCount(2)
  const waiting = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download failed rows' }).click()
  const stream = await (await waiting).createReadStream()
  const text = Buffer.concat((await stream.toArray()) as Buffer[]).toString()
  expect(text).toBe(
    `code,name,amount,since,region.code,\r\nC-2,"Bo, Ltd.",-1,2021-02-28,DE,2\nC-3,Cy,3,2022-03-31,XX,3\n`,
  )

  await page.getByRole('button', { name: 'Send again…' }).click()
  await expect(page.getByText('contact-failed.csv')).toBeVisible()
  await expect.poll(chosen).toEqual(['code', 'name', 'amount', 'since', 'region.code', ''])
  await chooseFile(page, 'corrected.csv', text.replace('-1', '1').replace('XX', 'DE'))
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('2 rows processed.')).toBeVisible()
  await expect(results(page).first()).toContainText('created')

  await page.getByRole('list', { name: 'Pages' }).getByRole('link', { name: 'Bulk jobs' }).click()
  await expect(jobRows(page)).toHaveCount(2)
  await page.getByLabel('Failed only').check()
  await expect(page).toHaveURL(/failed=true/)
  await expect(jobRows(page)).toHaveCount(1)
  await page.getByRole('search', { name: 'Bulk jobs' }).getByLabel('State').selectOption('aborted')
  await expect(page.getByText('No job matches. Change the filter.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Failed only')).toBeChecked()
  await expect(page.getByText('No job matches. Change the filter.')).toBeVisible()
})

test('a file that a job could not read is refused in words, and nothing is sent', async ({ studio }) => {
  const { page, url } = studio
  await deployContacts(studio)
  let sent = 0
  await page.route('**/data/v3/jobs/ingest**', (route) => {
    sent += route.request().method() === 'GET' ? 0 : 1
    return route.continue()
  })
  await page.goto(`${url}/operate/bulk/new?object=contact`)
  const alert = page.getByRole('region', { name: 'File', exact: true }).getByRole('alert')
  const cases: [name: string, content: string | Buffer, words: string][] = [
    ['a.csv', 'Code;Name\nC-1;Ada\n', 'separated by semicolons'],
    ['a.csv', 'Code\tName\nC-1\tAda\n', 'separated by tabs'],
    ['a.csv', Buffer.from('Code,Name\nC-1,Müller\n', 'latin1'), 'is not in UTF-8'],
    ['a.csv', Buffer.from('\ufeffCode,Name\nC-1,Ada\n', 'utf16le'), 'is in UTF-16'],
    ['a.xlsx', Buffer.from('PK\u0003\u0004'), 'is not a text file'],
    ['a.csv.gz', Buffer.from([0x1f, 0x8b, 8, 0]), 'is compressed'],
    ['a.csv', '', 'is empty'],
    ['a.csv', 'Code,Name\n', 'no row below it'],
    ['a.csv', 'Code,"Name\nC-1,Ada\n', 'A quote is never closed'],
    ['a.jsonl', '[1]\n', 'line 1 is not a JSON object'],
  ]
  for (const [name, content, words] of cases) {
    await chooseFile(page, name, content)
    await expect.soft(alert).toContainText(words)
  }
  expect(await violations(page)).toEqual([])
  // A byte order mark is not part of the first name.
  await chooseFile(page, 'b.csv', '\ufeffCode,Name,Amount\nC-1,Ada,"1,5"\n')
  await expect(alert).toHaveCount(0)
  const columns = page.getByRole('table', { name: 'Columns of the file' })
  await expect(columns.getByLabel('Field for Code')).toHaveValue('code')
  await expect(columns.getByRole('row', { name: /^Amount/ })).toContainText('Line 2: “1,5”')
  await columns.getByLabel('Field for Code').selectOption('')
  await expect(page.getByText('Choose the column with the external ID, code.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start upload' })).toBeDisabled()
  await chooseFile(page, 'c.jsonl', '{"code":"C-1","nme":"Ada"}\n')
  await expect(columns.getByRole('row', { name: /^nme/ })).toContainText('has no field “nme”')
  await chooseFile(page, 'c.jsonl', '{"code":"C-1","name":"Ada"}\n{"code":"C-2","amount":"1","name":"Bo"}\n')
  expect(sent).toBe(0)
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(page.getByText('2 rows processed.')).toBeVisible()
  await expect(results(page).first()).toContainText('created')
})

test('an upload waits for the connection, is paused, resumed, and aborted', async ({ studio }) => {
  const { page, url } = studio
  await deployContacts(studio)
  const name = 'x'.repeat(9000)
  const rows = Array.from({ length: 2000 }, (_, at) => `C-${at},${name}`).join('\n')
  const isHeld = { value: true }
  const parts: number[] = []
  await page.route('**/data/v3/jobs/ingest/*/parts/*', (route) => {
    const part = Number(route.request().url().split('/').pop())
    if (part === 2 && isHeld.value) return route.abort('connectionrefused')
    parts.push(part)
    return route.continue()
  })
  await page.goto(`${url}/operate/bulk/new?object=contact`)
  await chooseFile(page, 'large.csv', `Code,Name\n${rows}\n`)
  await page.getByRole('button', { name: 'Start upload' }).click()
  const upload = page.getByRole('region', { name: 'Upload', exact: true })
  await expect(upload).toContainText('No connection. The upload goes on at part 2 of 3')
  expect(await violations(page)).toEqual([])
  isHeld.value = false
  await expect(page.getByText('2,000 rows processed.')).toBeVisible({ timeout: 60_000 })
  expect(parts).toEqual([1, 2, 3])
  await expect(page.getByRole('button', { name: 'Next 100 rows' })).toBeVisible()
  await page.getByRole('button', { name: 'Next 100 rows' }).click()
  await expect(page).toHaveURL(/after=100/)
  await expect(results(page).first()).toContainText('102')

  isHeld.value = true
  await page.goto(`${url}/operate/bulk/new?object=contact`)
  await chooseFile(page, 'large.csv', `Code,Name\n${rows}\n`)
  await page.getByRole('button', { name: 'Start upload' }).click()
  await expect(upload).toContainText('No connection.')
  // It goes on while other pages are shown, and is followed in the dock.
  await page.getByRole('list', { name: 'Pages' }).getByRole('link', { name: 'Event channels' }).click()
  const dock = page.getByRole('region', { name: 'Dock' })
  await dock.getByRole('button', { name: 'large.csv, 33 %' }).click()
  const uploads = dock.getByRole('list', { name: 'Uploads' })
  await expect(uploads).toContainText('No connection. The upload goes on at part 2 of 3')
  expect(await violations(page)).toEqual([])
  await uploads.getByRole('link', { name: 'large.csv' }).click()
  // A part that is on its way.
  await page.route('**/data/v3/jobs/ingest/*/parts/*', () => undefined)
  await upload.getByRole('button', { name: 'Pause' }).click()
  await expect(upload).toContainText('Paused at part 2 of 3')
  await upload.getByRole('button', { name: 'Resume' }).click()
  await expect(upload).toContainText('Uploading part 2 of 3')
  // The window is closed: the job waits for its file.
  page.once('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(upload).toContainText('The job waits for its file.')
  await chooseFile(page, 'other.csv', 'a\n1\n')
  await expect(upload.getByRole('alert')).toContainText('the job was created for 2')
  await page.getByRole('button', { name: 'Abort…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Abort the bulk job' })
  await expect(dialog).toContainText('Nothing was saved yet.')
  expect(await violations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Abort the job' }).click()
  await expect(page.getByText('aborted')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Abort…' })).toHaveCount(0)
})

test('rows that a job did not reach are shown, and opened in a new job', async ({ studio }) => {
  const { page, url } = studio
  await deployContacts(studio)
  const id = await loadRows(studio, 'code,name\nC-1,Ada\nC-2,"never closed\nC-3,Cy\n')
  await page.goto(`${url}/operate/bulk/${id}`)
  await expect(page.getByRole('region', { name: 'What it does' })).toContainText(/Ended.*after it was closed/)
  await page.getByRole('link', { name: 'Show the rows that were not processed' }).click()
  await expect(page).toHaveURL(/outcome=unprocessed/)
  await expect(page.getByRole('alert')).toContainText('a quote that is never closed')
  await expect(results(page)).toHaveText([/3not processed–C-2,"never closed/, /4not processed–C-3,Cy/])
  await expect(page.getByRole('link', { name: 'Download unprocessed rows' })).toBeVisible()
  await page.getByRole('button', { name: 'Send again…' }).click()
  await expect(page.getByText('A quote is never closed')).toBeVisible()
  // While a job is processed, its rows a second are drawn as the server reports them.
  const ended = await studio.call<object>('GET', `/data/v3/jobs/ingest/${id}`)
  const began = Date.now()
  await page.route(`**/data/v3/jobs/ingest/${id}`, (route) => {
    const rowsDone = Math.round((Date.now() - began) / 10)
    const processing = { state: 'processing', problem: null, finishedAt: null, bytes: 1e9 }
    return route.fulfill({ json: { ...ended, ...processing, rowsDone, bytesDone: rowsDone * 20 } })
  })
  await page.goto(`${url}/operate/bulk/${id}`)
  const chart = page.getByRole('img', { name: /^Throughput: \d+ rows a second now, \d+ on average/ })
  await expect(chart).toBeVisible({ timeout: 15_000 })
  await expect(page.getByRole('region', { name: 'Progress' })).toContainText(/about .* left/)
  expect(await violations(page)).toEqual([])
})

test('users see their own jobs, and why they cannot load rows; an operator sees no rows of others', async ({
  studio,
  browser,
}) => {
  const { url, page, call } = studio
  const password = 'correct horse battery'
  await deployContacts(studio)
  for (const [key, name, set] of [
    ['lou', 'Lou', 'loader'],
    ['vi', 'Vi', 'viewer'],
  ])
    await call('POST', '/setup/v3/users', { key, name, groups: [], permissionSets: [set], password })
  const own = await loadRows(studio, 'code,name\nC-1,Ada\n')
  for (const [user, words] of [
    ['lou', null],
    ['vi', 'You cannot create or update records of Contact.'],
  ] as const) {
    const context = await browser.newContext()
    const theirs = await context.newPage()
    await theirs.goto(`${url}/operate/bulk`)
    await theirs.getByLabel('User').fill(user)
    await theirs.getByLabel('Password', { exact: true }).fill(password)
    await theirs.getByRole('button', { name: 'Sign in' }).click()
    await expect(theirs.getByText('No bulk job yet.')).toBeVisible()
    await theirs.goto(`${url}/operate/bulk/${own}`)
    await expect(theirs.getByRole('heading', { name: 'The bulk job does not exist' })).toBeVisible()
    await theirs.goto(`${url}/operate/bulk/new?object=contact`)
    if (words !== null) await expect(theirs.getByText(words)).toBeVisible()
    else {
      await chooseFile(theirs, 'lou.csv', 'code,name\nL-1,Lou\n')
      await theirs.getByRole('button', { name: 'Start upload' }).click()
      await expect(theirs.getByText('1 row processed.')).toBeVisible()
    }
    await context.close()
  }
  await page.goto(`${url}/operate/bulk`)
  await expect(jobRows(page)).toHaveCount(2)
  await jobRows(page).filter({ hasText: 'Lou' }).getByRole('link').click()
  await expect(page.getByText('are shown only to the user who created it, Lou')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Results' })).toHaveCount(0)
})

test('the pages fit a telephone', async ({ studio }) => {
  const { page, url } = studio
  await deployContacts(studio)
  const id = await loadRows(studio, `code,name,amount\nC-1,Ada,1\nC-2,Bo,-1\n`)
  await page.setViewportSize({ width: 390, height: 844 })
  for (const path of ['bulk', `bulk/${id}`, 'bulk/new?object=contact']) {
    await page.goto(`${url}/operate/${path}`)
    if (path.startsWith('bulk/new')) await chooseFile(page, 'contacts.csv', file)
    await expect(page.locator('.ledger td').locator('visible=true').first()).toBeVisible()
    expect.soft(await violations(page), path).toEqual([])
    if (path === `bulk/${id}`)
      // The creator has a line of its own, and is not cut to a letter.
      expect.soft((await page.locator('.phead .creator').boundingBox())!.width).toBeGreaterThan(200)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect.soft(overflow, path).toBeLessThanOrEqual(0)
  }
})

test('an upload goes on if its job could not be aborted', async ({ studio }) => {
  const { page, url, call } = studio
  await deployContacts(studio)
  await page.goto(`${url}/operate/bulk/new?object=contact`)
  await page.route('**/data/v3/jobs/ingest/*/parts/*', () => undefined)
  await chooseFile(page, 'contacts.csv', 'Code,Name\nC-2,Bo\n')
  await page.getByRole('button', { name: 'Start upload' }).click()
  const upload = page.getByRole('region', { name: 'Upload', exact: true })
  await expect(upload).toContainText('contacts.csv')
  const dialog = page.getByRole('dialog', { name: 'Abort the bulk job' })
  await page.route('**/data/v3/jobs/ingest/*/abort', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: 'Abort…' }).click()
  await dialog.getByRole('button', { name: 'Abort the job' }).click()
  await expect(page.getByRole('alert')).toContainText(
    'The job was not aborted. The server is not responding.',
  )
  await expect(upload).toContainText('contacts.csv')
  await expect(upload.getByRole('button', { name: 'Pause' })).toBeVisible()
  // The job ends by different hands while the user is asked.
  await page.getByRole('button', { name: 'Abort…' }).click()
  await expect(dialog).toBeVisible()
  await call('POST', `${new URL(page.url()).pathname.replace('/operate/bulk', '/data/v3/jobs/ingest')}/abort`)
  await expect(page.getByText('aborted', { exact: true })).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
})
