// An error thrown by a source reaches the page and the console (docs/reference/lookup-field.md).
import type { Page } from '@playwright/test'
import { expect, test } from '../support/lookup-page.ts'

const host = 'http://errors.invalid/'

async function openPage(page: Page, script: string, markup: string): Promise<string[]> {
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  await page.route(`${host}**`, (route) =>
    route.fulfill(
      route.request().url().endsWith('.js')
        ? { contentType: 'text/javascript', body: script }
        : {
            contentType: 'text/html',
            body: `<!doctype html><html lang="en"><title>Errors</title>${markup}<script type="module" src="/index.js"></script></html>`,
          },
    ),
  )
  await page.goto(host)
  await page.waitForFunction(() => customElements.get('svc-lookup-field') !== undefined)
  return errors
}

const sources = {
  'throws at once': `() => { throw new Error('out of order') }`,
  'rejects its promise': `async () => { throw new Error('out of order') }`,
  'returns no list': `() => ({ rows: [], get options() { throw new Error('out of order') } })`,
  'cannot resolve an id': `Object.assign(() => [], { resolve() { throw new Error('out of order') } })`,
  'cannot make a record': `() => [{ value: '', label: 'Create', make() { throw new Error('out of order') } }]`,
}

for (const [what, source] of Object.entries(sources))
  test(`a source that ${what}: the error is in an event and in the console`, async ({ page, script }) => {
    const errors = await openPage(
      page,
      script,
      '<main><svc-lookup-field mode="edit" label="Who" search-delay="0" value="p1"></svc-lookup-field></main>',
    )
    const heard = page.evaluate(
      (code) =>
        new Promise((done) => {
          // Listens on an ancestor, like for its other events.
          document.querySelector('main')!.addEventListener('svc-lookup-error', ({ detail }) => {
            done((detail.error as Error).message)
          })
          // A source is a function, and cannot be passed as data.
          document.querySelector('svc-lookup-field')!.search = (0, eval)(`(${code})`)
        }),
      source,
    )
    if (what !== 'cannot resolve an id') await page.locator('input').click()
    if (what === 'cannot make a record') await page.locator('[part=option]').click()
    expect(await heard).toBe('out of order')
    await expect.poll(() => errors.length).toBe(1)
    expect(errors[0]).toContain('Error: out of order')
  })

test('an error that the page handles does not reach the console', async ({ page, script }) => {
  const errors = await openPage(
    page,
    script,
    '<svc-lookup-field mode="edit" label="Who" search-delay="0"></svc-lookup-field>',
  )
  await page.evaluate(() => {
    const field = document.querySelector('svc-lookup-field')!
    field.addEventListener('svc-lookup-error', (event) => event.preventDefault())
    field.search = () => {
      throw new Error('out of order')
    }
  })
  await page.locator('input').click()
  await expect(page.getByRole('option', { name: 'The search failed.' })).toBeVisible()
  expect(errors).toEqual([])
})
