// The real Electron, where its binary is on the machine: the window opens the studio, without Node in the page.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { _electron, expect, test } from '@playwright/test'
import { electronBinary } from '../../main/launch/ground.mjs'

const root = resolve(import.meta.dirname, '../..')

test('opens the studio in a locked window, and ends with it', async () => {
  test.skip(electronBinary() === undefined, 'no Electron binary')
  const place = mkdtempSync(join(tmpdir(), 'electron-'))
  const app = await _electron.launch({
    executablePath: electronBinary()!,
    args: [root, `--user-data-dir=${place}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    env: { ...(process.env as Record<string, string>), ALMANAC_ORG: join(place, 'org') },
  })
  try {
    const page = await app.firstWindow()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//)
    await expect(page).toHaveTitle(/Almanac/)
    expect(await page.evaluate(() => typeof (globalThis as { require?: unknown }).require)).toBe('undefined')
    const about = page.evaluate(() =>
      (
        globalThis as unknown as { almanac: { call(channel: string): Promise<{ electron: string }> } }
      ).almanac.call('desktop/about'),
    )
    expect((await about).electron).toMatch(/^\d+\./)
  } finally {
    await app.close()
    rmSync(place, { recursive: true, force: true })
  }
})
