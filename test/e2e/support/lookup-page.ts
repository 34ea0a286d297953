// A page with the built element and nothing of the studio: with the strictest content policy, without a network.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, type Locator, type Page } from '@playwright/test'
import { buildScript } from '../../../elements/build/script.ts'
import type * as Elements from '../../../elements/index.ts'
import { refuse, resetPage, viewport } from './shared-page.ts'

const host = 'http://lookup.invalid'

export interface LookupPage {
  page: Page
  /** Puts markup in the page, gives every field the source of rows, and returns the first field. */
  show(markup: string, source?: string): Promise<Locator>
  /** The queries that the source received since the last call. */
  queries(): Promise<string[]>
  /** Names of the events that were fired since the last call, with what they carry. */
  events(): Promise<[name: string, detail: unknown][]>
}

/** Rows of the page's own source, by name. */
export const people = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Katherine Johnson', 'Élodie Marchand']

/** Each test has a new page, for tests that need a context of their own or leave something in it. */
export const testInOwnPage = base.extend<{ lookup: LookupPage }, { script: string; sharedPage: Page }>({
  script: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const outDir = mkdtempSync(join(tmpdir(), 'almanac-elements-'))
      await buildScript(outDir)
      await use(readFileSync(join(outDir, 'index.js'), 'utf8'))
    },
    { scope: 'worker' },
  ],
  sharedPage: [
    async ({ browser }, use) => {
      const page = await browser.newPage({ viewport })
      page.addInitScript = refuse
      page.clock.install = refuse
      await use(page)
      await page.close()
    },
    { scope: 'worker' },
  ],
  lookup: async ({ page, script }, use) => {
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    const policy =
      "default-src 'none'; script-src 'self'; require-trusted-types-for 'script'; connect-src 'self'"
    await page.route(`${host}/**`, async (route) => {
      const { pathname } = new URL(route.request().url())
      if (pathname === '/index.js') await route.fulfill({ contentType: 'text/javascript', body: script })
      else
        await route.fulfill({
          contentType: 'text/html',
          headers: { 'content-security-policy': policy },
          body: '<!doctype html><html lang="en"><title>Lookup</title><header><h1>Lookup</h1></header><main></main></html>',
        })
    })
    await page.goto(`${host}/`)
    await page.evaluate(ground, people)
    const show = async (markup: string, source = 'people'): Promise<Locator> => {
      await page.evaluate(put, { markup, source })
      return page.locator('svc-lookup-field').first()
    }
    const drained = <T>(name: 'queries' | 'fired'): Promise<T[]> =>
      page.evaluate((list) => (window as unknown as Record<string, T[]>)[list]!.splice(0), name)
    await use({ page, show, queries: () => drained('queries'), events: () => drained('fired') })
    if (complaints.length > 0) throw new Error(`The page reported: ${complaints.join('; ')}`)
  },
})

/**
 * The tests of a worker share a page, and each has a new document in it: a new page takes longer than most of them. What
 * stays in a page, such as an init script, needs `testInOwnPage`.
 */
export const test = testInOwnPage.extend({
  page: async ({ sharedPage: page }, use) => {
    await use(page)
    await resetPage(page)
  },
})

export { expect } from '@playwright/test'

export const part = (field: Locator, name: string): Locator => field.locator(`[part=${name}]`)
export const input = (field: Locator): Locator => part(field, 'input')
export const isOpen = (field: Locator): Promise<boolean> =>
  field.evaluate((element) => (element as Elements.SvcLookupField).open)

/** The selected text of the box. */
export const selectedIn = (field: Locator): Promise<string> =>
  input(field).evaluate((box) => {
    const { value, selectionStart, selectionEnd } = box as HTMLInputElement
    return value.slice(selectionStart!, selectionEnd!)
  })

/**
 * The position of an element in layout units: Chromium lays out in 64ths of a pixel, and a position on the screen has a
 * floating-point error of a millionth.
 */
export async function boxOf(element: Locator): Promise<Record<'x' | 'y' | 'width' | 'height', number>> {
  const box = (await element.boundingBox())!
  const inUnits = (pixels: number): number => Math.round(pixels * 64) / 64
  return { x: inUnits(box.x), y: inUnits(box.y), width: inUnits(box.width), height: inUnits(box.height) }
}

/** The form of the page is not sent; its submission is one of the recorded events. */
export const watchSubmit = (page: Page): Promise<void> =>
  page.evaluate(() =>
    document.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault()
      window.fired.push(['submit', null])
    }),
  )

/** Sets properties of the element, as a page does. */
export async function setOn(field: Locator, properties: object): Promise<void> {
  await field.evaluate((element, given) => void Object.assign(element, given), properties)
}

declare global {
  interface Window {
    queries: string[]
    fired: [string, unknown][]
    requests: Record<string, unknown>[]
    sources: Record<string, Elements.SvcLookupField['search']>
    /** Responses of sources that wait for the test. */
    pending: { query: string; signal: AbortSignal; resolve: (labels: string[]) => void; reject: () => void }[]
  }
}

async function ground(names: string[]): Promise<void> {
  const at = '/index.js'
  const { arraySource } = (await import(at)) as typeof Elements
  const rows = names.map((name, index) => ({
    id: `p${index + 1}`,
    name,
    born: 1815 + index,
    field: index % 2 === 0 ? 'analysis' : 'computing',
  }))
  const source = arraySource(rows, { value: 'id', label: 'name', href: ({ id }) => `/people/${id}` })
  Object.assign(window, { queries: [], fired: [], requests: [], pending: [] })
  const noting =
    (inner: NonNullable<Elements.SvcLookupField['search']>): Elements.SvcLookupField['search'] =>
    (query, request) => {
      window.queries.push(query)
      const { signal: _signal, ...rest } = request
      window.requests.push(rest)
      return inner(query, request)
    }
  const many = Array.from({ length: 1000 }, (_, n) => ({ id: `k${n}`, name: `Row ${n}` }))
  window.sources = {
    people: noting(source),
    many: noting(arraySource(many, { value: 'id', label: 'name', page: 1000 })),
    paged: noting(arraySource(many, { value: 'id', label: 'name', page: 30 })),
    empty: noting(() => []),
    slow: noting(
      (query, { signal }) =>
        new Promise((resolve, reject) => {
          window.pending.push({
            query,
            signal,
            resolve: (labels) => resolve(labels.map((label) => ({ value: label, label }))),
            reject: () => reject(new Error('Out of order')),
          })
        }),
    ),
    throwing: noting(() => {
      throw new Error('broken')
    }),
    none: null,
  }
  // The page handles the errors of its sources: the console stays empty.
  addEventListener('svc-lookup-error', (event) => event.preventDefault())
  for (const name of ['svc-lookup-change', 'svc-lookup-clear'])
    addEventListener(name, (event) => window.fired.push([name, (event as CustomEvent).detail]))
}

function put({ markup, source }: { markup: string; source: string }): void {
  const main = document.querySelector('main')!
  main.replaceChildren(...build(markup))
  for (const field of main.querySelectorAll('svc-lookup-field')) field.search = window.sources[source]!

  // The page's policy does not let text become markup.
  function build(text: string): Node[] {
    const policy = (
      window as unknown as {
        trustedTypes: { createPolicy(name: string, rules: object): { createHTML(text: string): string } }
      }
    ).trustedTypes.createPolicy('test', { createHTML: (given: string) => given })
    const template = document.createElement('template')
    template.innerHTML = policy.createHTML(text)
    return [...template.content.childNodes].map((node) => document.importNode(node, true))
  }
}
