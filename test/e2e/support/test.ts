// The fixture of the browser tests: a separate studio for every test, signed in. A test opens the page at which it
// starts.
import { test as base, type Page } from '@playwright/test'
import { leave, openSharedPage, type SharedPage } from './shared-page.ts'
import { startStudio, type Person } from './studio-server.ts'

export interface Studio {
  url: string
  page: Page
  /**
   * Sends a request as the studio does.
   * @throws Error if it is refused
   */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
  /** Ends the server as a power failure would, and starts it again at the same URL; needs `ownProcess`. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Errors that the page reported; a test that ends with any has failed. */
  complaints: string[]
}

interface Fixtures {
  studio: Studio
  environment: string
  people: Person[]
  ownProcess: boolean
}

/** Each test has a new page, for tests that choose how it is created or leave something in it that cannot be removed. */
export const testInOwnPage = base.extend<Fixtures, { shared: SharedPage }>({
  shared: [
    async ({ browser }, use) => {
      const page = await openSharedPage(browser)
      await use(page)
      await page.close()
    },
    { scope: 'worker' },
  ],
  environment: ['test', { option: true }],
  // Users who sign in with a password.
  people: [[], { option: true }],
  // A separate process for the server, so that it can be killed.
  ownProcess: [false, { option: true }],
  studio: async ({ page, environment, people, ownProcess }, use) => {
    const server = await startStudio({ environment, people, ownProcess })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      const isRefusal = /Failed to load resource/.test(message.text())
      if (message.type() === 'error' && !isRefusal) complaints.push(message.text())
    })
    // Opens the link's session without loading its page, because loading it takes as long as most tests do afterwards.
    await page.request.get(server.open)
    const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
      const response = await page.request.fetch(server.url + path, {
        method,
        headers: { origin: server.url },
        ...(body === undefined ? {} : { data: body }),
      })
      const text = await response.text()
      if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${text}`)
      return (text === '' ? undefined : JSON.parse(text)) as T
    }
    await use({ url: server.url, page, call, complaints, kill: server.kill, start: server.start })
    await leave(page)
    await server.stop()
    if (complaints.length > 0) throw new Error(`The page reported: ${complaints.join('; ')}`)
  },
})

/** The tests of a worker share a page, and each loads the studio in it again. */
export const test = testInOwnPage.extend({
  context: async ({ shared }, use) => {
    await use(shared.page.context())
    await shared.reset()
  },
  page: async ({ shared, context: _ }, use) => use(shared.page),
})

export { expect } from '@playwright/test'
