// Two real servers in one browser test: the studio here, the org there that it deploys to, and a relay between them.
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { relayTo, type Relay } from '../../support/relay.ts'
import { clientSecret, done, impatient, newRemote, operator } from '../../support/remote-requests.ts'
import { bundled } from '../../support/bundled.mjs'
import type * as Servers from '../../support/running-server.ts'
import type { Ask, TestServer } from '../../support/running-server.ts'
import { leave } from './shared-page.ts'
import { expect, test as base } from './test.ts'

const root = resolve(import.meta.dirname, '../../..')

export const password = 'correct horse battery'
export const valueSet = (key: string, label = key): object => ({
  type: 'value_set',
  key,
  label,
  body: { values: [{ key: 'a', label: 'A' }] },
})
export const apply = async (ask: Ask, components: object[], rationale = ''): Promise<void> =>
  void done(await ask('POST', '/metadata/v3/apply', { components, rationale }))
export const activeOf = async (ask: Ask): Promise<number> =>
  (await ask<{ active: number }>('GET', '/metadata/v3/generations')).body.active

export interface Ground {
  page: Page
  here: TestServer
  there: TestServer
  /** Runs in front of the remote org. */
  relay: Relay
  /** Ben, who can approve there. */
  ben: Ask
  secret: string
  /** Opens a URL of the local studio. */
  go(path: string): Promise<void>
}

export const test = base.extend<{ ground: Ground; thereIs: string }>({
  thereIs: ['test', { option: true }],
  ground: async ({ page, context, thereIs }, use) => {
    // Playwright would compile the sources of the server for each worker.
    const { runningServer } = (await import(bundled('playwright', 'running-server'))) as typeof Servers
    const there = await runningServer({ root })
    await there.beside(async ({ org, access }) => {
      await org.write((transactor) =>
        transactor.properties.put({ name: 'Kestrel There', environment: thereIs }),
      )
      await access.addUser(operator, { key: 'ben', name: 'Ben', permissionSets: ['administrator'], password })
    })
    const here = await runningServer({ root, remoteTerms: impatient })
    const relay = await relayTo(there.url)
    const minted = await there.plain('POST', '/session/token', { user: 'ben', password })
    const [name = '', value = ''] = here.cookie.split('=')
    await context.addCookies([{ name, value, url: here.url }])
    await use({
      page,
      here,
      there,
      relay,
      ben: there.bearer(minted.body['token'] as string),
      secret: await clientSecret(there),
      go: async (path) => void (await page.goto(here.url + path)),
    })
    await leave(page)
    await here.close()
    await relay.close()
    await there.close()
  },
})

/** A remote that exists already, listed once while both sides were equal. */
export async function known({ here, relay, secret, go, page }: Ground): Promise<void> {
  done(await here.studio('POST', '/setup/v3/remotes', newRemote(relay.url, secret)))
  await go('/deploy/there')
  await page.getByRole('main').getByRole('button', { name: 'Compare now' }).last().click()
  await expect(page.getByText(/Read from There .*, at generation \d+/)).toBeVisible()
}

export { expect }
