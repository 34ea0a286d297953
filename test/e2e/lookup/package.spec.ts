// The package as others use it: packed by npm, unpacked, from a plain page, from Vue and from React 19, its types checked.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test as base, type Page } from '@playwright/test'
import { bundled, installPackage, typeProblems, type OtherProject } from '../support/elements-package.ts'

const host = 'http://consumer.invalid'
const elements = resolve(import.meta.dirname, '../../../elements')

const test = base.extend<object, { project: OtherProject }>({
  project: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      await use(installPackage())
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})
test.describe.configure({ mode: 'default' })

const written = (project: OtherProject, path: string): string =>
  readFileSync(join(project.unpacked, path), 'utf8')

test('it holds what its package.json names, its own page and the licence', ({ project }) => {
  const described = JSON.parse(written(project, 'package.json')) as Record<string, unknown>
  const named = [
    Object.values(described['exports'] as object),
    described['main'],
    described['customElements'],
    described['web-types'],
  ]
  for (const path of JSON.stringify(named).match(/\.\/[^"]+/g)!)
    expect(written(project, path), path).not.toBe('')
  expect(written(project, 'README.md')).toBe(readFileSync(join(elements, 'README.md'), 'utf8'))
  expect(written(project, 'LICENSE')).toBe(readFileSync(join(elements, '../LICENSE'), 'utf8'))
  expect(described).toMatchObject({ name: '@almanac/lookup-field', license: 'Apache-2.0' })
  expect(described['dependencies']).toBeUndefined()
})

test('it is one minified module of at most 12 KiB, which imports nothing', ({ project }) => {
  const script = written(project, 'dist/index.js')
  expect(gzipSync(script).length).toBeLessThanOrEqual(12 * 1024)
  expect(script.trim().split('\n')).toHaveLength(1)
  expect(script).not.toMatch(/\bimport\b/)
})

test('a server without elements may import it', ({ project }) => {
  const script = join(project.unpacked, 'dist/index.js')
  const use = `import { arraySource, SvcLookupField } from ${JSON.stringify(pathToFileURL(script).href)}
    console.log(typeof SvcLookupField, typeof arraySource([], { value: 'id', label: 'name' }))`
  const given = ['--input-type=module', '--eval', use]
  expect(execFileSync(process.execPath, given, { encoding: 'utf8' })).toBe('function function\n')
})

test('its types hold for TypeScript, JSX and Vue, and refuse what is wrong', ({ project }) => {
  test.setTimeout(300_000)
  expect(typeProblems(project)).toBe('')
})

test('a plain page uses it', async ({ page, project }) => {
  const html = readFileSync(join(project.folder, 'plain/index.html'), 'utf8')
  await serve(page, html, { '/plain.js': await bundled(project, 'plain/plain.ts') })
  await using(page)
})

test('a page uses the file as it is, with no build', async ({ page, project }) => {
  const html = `<!doctype html><html lang="en"><title>File</title>
    <svc-lookup-field mode="edit" label="Author" search-delay="0" value="1" display="Ada"></svc-lookup-field>
    <output></output><script type="module" src="/page.js"></script></html>`
  const script = `import { arraySource } from '/index.js'
    const field = document.querySelector('svc-lookup-field')
    const output = document.querySelector('output')
    field.search = arraySource([{ id: '2', name: 'Grace' }], { value: 'id', label: 'name' })
    field.addEventListener('svc-lookup-change', ({ detail }) => (output.textContent = detail.value + ' ' + detail.label))
    field.addEventListener('svc-lookup-clear', () => (output.textContent = 'cleared null'))`
  await serve(page, html, { '/page.js': script, '/index.js': written(project, 'dist/index.js') })
  await using(page)
})

for (const [name, entry] of [
  ['Vue', 'vue/main.ts'],
  ['React', 'react/app.tsx'],
] as const)
  test(`${name} uses it`, async ({ page, project }) => {
    const html = `<!doctype html><html lang="en"><title>${name}</title><div id="app"></div><script type="module" src="/index.js"></script></html>`
    await serve(page, html, { '/index.js': await bundled(project, entry) })
    await using(page)
  })

test('React: what is chosen outlives the reset that React makes of a form after its action', async ({
  page,
  project,
}) => {
  const html =
    '<!doctype html><html lang="en"><title>React</title><div id="app"></div><script type="module" src="/index.js"></script></html>'
  await serve(page, html, { '/index.js': await bundled(project, 'react/app.tsx') })
  const box = page.getByRole('combobox', { name: 'Author' })
  for (const [typed, name, value] of [
    ['', 'Ada', '1'],
    ['gra', 'Grace', '2'],
  ]) {
    if (typed !== '') {
      await box.fill(typed!)
      await page.getByRole('option', { name: name! }).click()
    }
    for (let times = 0; times < 2; times += 1) {
      await page.getByRole('button', { name: 'Send' }).click()
      await expect(page.locator('output')).toHaveText(`sent ${value}`)
      await page.waitForTimeout(50)
      await expect(box).toHaveValue(name!)
    }
  }
})

/** Chooses another, and clears: properties arrive in the element, and its events in the page. */
async function using(page: Page): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Author' })
  await expect(box).toHaveValue('Ada')
  await expect(box).not.toHaveAttribute('aria-invalid')
  await box.fill('gra')
  await page.getByRole('option', { name: 'Grace' }).click()
  await expect(page.locator('output')).toHaveText('2 Grace')
  await expect(box).toHaveValue('Grace')
  await expect(page.locator('svc-lookup-field')).toHaveAttribute('value', '2')
  await page.getByRole('button', { name: 'Clear Author' }).click()
  await expect(page.locator('output')).toHaveText(/^cleared/)
  await expect(box).toHaveValue('')
}

async function serve(page: Page, html: string, scripts: Record<string, string>): Promise<void> {
  await page.route(`${host}/**`, async (route) => {
    const script = scripts[new URL(route.request().url()).pathname]
    await route.fulfill(
      script === undefined
        ? { contentType: 'text/html', body: html }
        : { contentType: 'text/javascript', body: script },
    )
  })
  await page.goto(`${host}/`)
}
