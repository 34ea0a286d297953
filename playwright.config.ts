// End-to-end tests in a Chromium that is on the machine; they start their own servers on 127.0.0.1, port 0.
import { defineConfig } from '@playwright/test'
import { listTestChromiums } from './test/support/chromium.mjs'
import './test/support/compiled-once.mjs'

const asRoot = process.getuid?.() === 0

export default defineConfig({
  globalSetup: './test/support/bundle-for-playwright.mjs',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // Long enough for a busy machine: speed is measured in benchmarks.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  outputDir: 'test-results',
  use: {
    viewport: { width: 1440, height: 900 },
    // Reports an element that does not appear long before the test times out.
    actionTimeout: 60_000,
    // Traces of all tests take a quarter of their time; use `--trace retain-on-failure` to investigate one.
    trace: 'off',
    launchOptions: {
      executablePath: listTestChromiums()[0],
      args: [
        ...(asRoot ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
        // Pages of tests are short-lived: optimising their code takes longer than it saves.
        '--js-flags=--no-turbofan --no-maglev',
        // Without a screen, a GPU process is not needed.
        '--disable-gpu',
        '--in-process-gpu',
      ],
    },
  },
  projects: [
    { name: 'e2e', testDir: 'test/e2e' },
    { name: 'electron-binary', testDir: 'test/electron-binary', workers: 1 },
  ],
})
