// A server in a separate process over an existing org, and a browser that is signed in to it.
import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser, type BrowserContext } from '@playwright/test'
import { findChromium } from '../../support/chromium.mjs'

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))

export interface Studio {
  url: string
  browser: Browser
  /** Signed in, with separate storage, so that its cache is empty. */
  fresh(): Promise<BrowserContext>
  close(): Promise<void>
}

export async function studioOver(org: string): Promise<Studio> {
  const server = spawn(process.execPath, [cli, 'serve', '--org', org, '--port', '0', '--studio'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { listening, open } = await readyLine(server)
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-background-networking'],
  })
  const first = await browser.newContext()
  await (await first.newPage()).goto(open)
  const signedIn = (await first.storageState()).cookies
  await first.close()
  return {
    url: listening,
    browser,
    fresh: async () => {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      await context.addCookies(signedIn)
      // Form and JSON side by side: the page at its heaviest.
      await context.addInitScript(() => {
        if (location.protocol.startsWith('http')) localStorage.setItem('almanac.layout.admin', 'both')
      })
      return context
    },
    close: async () => {
      await browser.close()
      await new Promise((ended) => {
        server.once('exit', ended)
        server.kill('SIGTERM')
      })
    },
  }
}

function readyLine(server: ChildProcess): Promise<{ listening: string; open: string }> {
  return new Promise((ready, failed) => {
    server.once('exit', (code) => failed(new Error(`The server ended with ${code} before it listened.`)))
    createInterface({ input: server.stdout! }).once('line', (line) =>
      ready(JSON.parse(line) as { listening: string; open: string }),
    )
  })
}
