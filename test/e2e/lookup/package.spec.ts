// The package as others use it: packed by npm, unpacked, in a plain page, in Vue and in React 19, with its types
// checked.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test as base, type Page } from '@playwright/test'
import {
  bundled,
  installPackage,
  runNode,
  served,
  typeProblems,
  type OtherProject,
} from '../support/elements-package.ts'
import { boxOf } from '../support/lookup-page.ts'

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

test('it contains what its package.json names, its own page and the licence', ({ project }) => {
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

for (const [file, bound] of [
  ['index.js', 12 * 1024],
  ['sources.js', 2 * 1024],
] as const)
  test(`${file} is one minified module of at most ${bound / 1024} KiB, which imports nothing, with its source map`, ({
    project,
  }) => {
    const script = written(project, `dist/${file}`)
    expect(gzipSync(script).length).toBeLessThanOrEqual(bound)
    expect(script.trim().split('\n')).toEqual([expect.any(String), `//# sourceMappingURL=${file}.map`])
    expect(script).not.toMatch(/\bimport\b/)
    const map = JSON.parse(written(project, `dist/${file}.map`)) as Record<
      'sources' | 'sourcesContent',
      string[]
    >
    expect(map.sources).toContainEqual(expect.stringMatching(/array-source\.ts$/))
    expect(map.sourcesContent.join('')).toContain('export function arraySource')
  })

test('a server without elements can import it by its name, and each of its entries', ({ project }) => {
  const use = `import { arraySource, SvcLookupField } from '@almanac/lookup-field'
    import { LookupField } from '@almanac/lookup-field/react'
    import * as sources from '@almanac/lookup-field/sources'
    import '@almanac/lookup-field/vue'
    const people = arraySource([{ id: 2, name: 'Grace' }], { value: 'id', label: 'name' })
    console.log(typeof SvcLookupField, typeof LookupField, Object.keys(sources).join(), people.resolve('2').label)`
  expect(runNode(project.folder, ['--input-type=module', '--eval', use])).toBe(
    'function object arraySource,fetchSource Grace\n',
  )
})

test('the sources alone do not load an element', async ({ page, project }) => {
  const script = await bundled(project, 'plain/sources-only.ts')
  expect(gzipSync(script).length).toBeLessThanOrEqual(2 * 1024)
  expect(script).not.toMatch(/svc-lookup|attachShadow/)
  await serve(page, '<!doctype html><output></output><script type="module" src="/page.js"></script>', {
    '/page.js': script,
  })
  await expect(page.locator('output')).toHaveText('function')
  expect(await page.evaluate(() => customElements.get('svc-lookup-field'))).toBeUndefined()
})

test('its types accept TypeScript, JSX and Vue, and reject what is wrong', ({ project }) => {
  test.setTimeout(300_000)
  expect(typeProblems(project)).toBe('')
})

test('a plain page uses it', async ({ page, project }) => {
  const html = readFileSync(join(project.folder, 'plain/index.html'), 'utf8')
  await serve(page, html, { '/plain.js': await bundled(project, 'plain/plain.ts') })
  await using(page)
})

test('a page with an import map uses the files without a build', async ({ page, project }) => {
  const html = `<!doctype html><html lang="en"><title>Import map</title>
    <script type="importmap">
      { "imports": { "@almanac/lookup-field": "/index.js", "@almanac/lookup-field/sources": "/sources.js" } }
    </script>
    <form>
      <svc-lookup-field mode="edit" label="Author" name="author" search-delay="0" value="1" display="Ada"></svc-lookup-field>
      <button>Send</button>
    </form>
    <output></output>
    <script type="module">
      import '@almanac/lookup-field'
      import { arraySource } from '@almanac/lookup-field/sources'
      const field = document.querySelector('svc-lookup-field')
      const output = document.querySelector('output')
      field.search = arraySource([{ id: '2', name: 'Grace' }], { value: 'id', label: 'name' })
      field.addEventListener('svc-lookup-change', ({ detail }) => (output.textContent = detail.value + ' ' + detail.label))
      field.addEventListener('svc-lookup-clear', () => (output.textContent = 'cleared'))
      document.querySelector('form').addEventListener('submit', (event) => {
        event.preventDefault()
        output.textContent = 'sent ' + new FormData(event.target).get('author')
      })
    </script></html>`
  await serve(page, html, {
    '/index.js': written(project, 'dist/index.js'),
    '/sources.js': written(project, 'dist/sources.js'),
  })
  await using(page)
})

for (const [name, entry] of [
  ['Vue', 'vue/main.ts'],
  ['React', 'react/app.tsx'],
  ['The React component', 'react/component.tsx'],
] as const)
  test(`${name} uses it`, async ({ page, project }) => {
    const html = `<!doctype html><html lang="en"><title>${name}</title><div id="app"></div><script type="module" src="/index.js"></script></html>`
    await serve(page, html, { '/index.js': await bundled(project, entry) })
    await using(page)
  })

test('React: a page that the server rendered searches, clears and submits once it is hydrated', async ({
  page,
  project,
}) => {
  const drawn = await served(project, 'react/server.tsx')
  expect(drawn).toContain('<svc-lookup-field mode="edit" label="Author" name="author"')
  expect(drawn).toContain('value="1" display="Ada"')
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  const html = `<!doctype html><html lang="en"><title>Server</title><div id="app">${drawn.trim()}</div><script type="module" src="/index.js"></script></html>`
  // React reports a mismatch only in development mode.
  await serve(page, html, { '/index.js': await bundled(project, 'react/client.tsx', 'development') })
  await using(page)
  expect(errors).toEqual([])
})

for (const [what, field] of [
  ['edit', '<svc-lookup-field mode="edit"></svc-lookup-field>'],
  ['edit with label and message', '<svc-lookup-field mode="edit" label="A" message="M"></svc-lookup-field>'],
  [
    'edit, a row of a record',
    '<svc-lookup-field mode="edit" inline label="A" message="M"></svc-lookup-field>',
  ],
  ['read, a link', '<svc-lookup-field label="A" value="1" display="Ada" href="/1"></svc-lookup-field>'],
  ['read, nothing linked', '<svc-lookup-field message="M"></svc-lookup-field>'],
  ['read, a row of a record', '<svc-lookup-field inline value="1" display="Ada"></svc-lookup-field>'],
  [
    'larger text',
    '<svc-lookup-field mode="edit" label="A" message="M" style="--svc-text-body: 20px"></svc-lookup-field>',
  ],
] as const)
  test(`with style.css nothing moves when the element is loaded: ${what}`, async ({ page, project }) => {
    const html = `<!doctype html><html lang="en"><title>Styles</title><style>${written(project, 'dist/style.css')}</style>${field}<p>Below</p></html>`
    await serve(page, html, { '/index.js': written(project, 'dist/index.js') })
    const below = async (): Promise<number> => (await boxOf(page.getByText('Below'))).y
    const before = await below()
    await page.evaluate((at) => import(at), '/index.js')
    await expect(page.locator('svc-lookup-field [part=combo]')).toBeAttached()
    expect(Math.abs((await below()) - before)).toBeLessThanOrEqual(0.5)
  })

test('React: a page that sets only the id keeps the name and the link of its source', async ({
  page,
  project,
}) => {
  const html =
    '<!doctype html><html lang="en"><title>React</title><div id="app"></div><script type="module" src="/index.js"></script></html>'
  await serve(page, html, { '/index.js': await bundled(project, 'react/id-only.tsx') })
  const field = page.locator('svc-lookup-field')
  const box = page.getByRole('combobox', { name: 'Author' })
  const rerender = async (): Promise<void> => page.getByRole('button', { name: 'Render again' }).click()
  await expect(box).toHaveValue('Ada')
  await rerender()
  await rerender()
  await expect(page.locator('output')).toHaveText('2 renders, value 1, asked for 1')
  await expect(box).toHaveValue('Ada')
  await expect(field).toHaveAttribute('href', '/people/1')
  await box.fill('gra')
  await page.getByRole('option', { name: 'Grace' }).click()
  await rerender()
  await expect(page.locator('output')).toHaveText('3 renders, value 2, asked for 1')
  await expect(box).toHaveValue('Grace')
  await expect(field).toHaveAttribute('href', '/people/2')
})

test('React: a choice or a clear that the page ignores is undone', async ({ page, project }) => {
  const html =
    '<!doctype html><html lang="en"><title>React</title><div id="app"></div><script type="module" src="/index.js"></script></html>'
  await serve(page, html, { '/index.js': await bundled(project, 'react/refusing.tsx') })
  const field = page.locator('svc-lookup-field')
  const box = page.getByRole('combobox', { name: 'Author' })
  const fired = page.evaluate(
    () => new Promise((done) => addEventListener('svc-lookup-change', (event) => done(event.detail.value))),
  )
  await box.fill('gra')
  await page.getByRole('option', { name: 'Grace' }).click()
  expect(await fired).toBe('2')
  const isUnchanged = async (): Promise<void> => {
    await expect(box).toHaveValue('Ada')
    await expect(field).toHaveAttribute('value', '1')
    await expect(field).toHaveAttribute('href', '/people/1')
  }
  await isUnchanged()
  await page.getByRole('button', { name: 'Clear Author' }).click()
  await isUnchanged()
})

test("React: a choice survives React's reset of a form after its action", async ({ page, project }) => {
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

/** Searches and chooses, submits, and clears: properties arrive in the element, and its events in the page. */
async function using(page: Page): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Author' })
  await expect(box).toHaveValue('Ada')
  await expect(box).not.toHaveAttribute('aria-invalid')
  await box.fill('gra')
  await page.getByRole('option', { name: 'Grace' }).click()
  await expect(page.locator('output')).toHaveText('2 Grace')
  await expect(box).toHaveValue('Grace')
  await expect(page.locator('svc-lookup-field')).toHaveAttribute('value', '2')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.locator('output')).toHaveText('sent 2')
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
