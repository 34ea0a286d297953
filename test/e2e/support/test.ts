// The fixture of the browser tests: a separate studio for every test, signed in. A test opens the page at which it
// starts.
import { test as base, type Page } from '@playwright/test'
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

export const test = base.extend<{
  studio: Studio
  environment: string
  people: Person[]
  ownProcess: boolean
}>({
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
    await page.close()
    await server.stop()
    if (complaints.length > 0) throw new Error(`The page reported: ${complaints.join('; ')}`)
  },
})

export { expect } from '@playwright/test'
