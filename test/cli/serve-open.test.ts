// The one-time link reaches the browser through a file that only its owner can read, never through the arguments of a
// program.
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { writeStudioPage } from '../../server/cli/studio-page.ts'
import { almanac, scratch, serving } from './almanac.ts'

const linux = process.platform === 'linux'

/** A machine with a screen whose browser only records its arguments. */
function machine(): {
  env: Record<string, string>
  home: string
  org: string
  opened: () => Promise<string>
} {
  const dir = scratch()
  const [home, bin, note] = [join(dir, 'home'), join(dir, 'bin'), join(dir, 'opened')]
  for (const folder of [home, bin]) mkdirSync(folder)
  writeFileSync(
    join(bin, 'xdg-open'),
    `#!/bin/sh\nprintf '%s\\n' "$@" > ${note}.new && mv ${note}.new ${note}\n`,
  )
  chmodSync(join(bin, 'xdg-open'), 0o755)
  const org = join(dir, 'org')
  expect(almanac(['init', org]).code).toBe(0)
  return {
    ...{ home, org },
    env: { HOME: home, DISPLAY: ':0', PATH: `${bin}:${process.env['PATH']}` },
    opened: () => vi.waitFor(() => readFileSync(note, 'utf8').trim(), { timeout: 20_000, interval: 50 }),
  }
}

const modeOf = (path: string): number => statSync(path).mode & 0o777

describe.runIf(linux)('serve --open', () => {
  it('starts the browser with a private file that leads to the link, and removes the file after its use', async () => {
    const { env, home, org, opened } = machine()
    const { line, stop } = await serving(['serve', '--studio', '--open', '--port', '0', '--org', org], env)
    const link = line['open']!
    const args = await opened()
    expect(dirname(args)).toBe(join(home, 'almanac-studio'))
    expect(args).not.toContain('once')
    expect([modeOf(args), modeOf(dirname(args))]).toEqual([0o600, 0o700])
    expect(readFileSync(args, 'utf8')).toContain(`content="0; url=${link}"`)
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(302)
    await vi.waitFor(() => expect(existsSync(dirname(args))).toBe(false))
    expect(await stop()).toBe(0)
  })

  it('removes the file of an unused link when the server stops', async () => {
    const { env, home, org, opened } = machine()
    const { stop } = await serving(['serve', '--studio', '--open', '--port', '0', '--org', org], env)
    await opened()
    expect(await stop()).toBe(0)
    expect(existsSync(join(home, 'almanac-studio'))).toBe(false)
  })

  it('opens nothing without a screen, and needs --studio', async () => {
    const { env, org } = machine()
    const { line, stop } = await serving(['serve', '--studio', '--open', '--port', '0', '--org', org], {
      ...env,
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
    })
    expect(line).toMatchObject({ browser: false, open: expect.stringContaining('/session?once=') as string })
    await stop()
    expect(almanac(['serve', '--open', '--org', org])).toMatchObject({
      code: 2,
      err: expect.stringContaining('needs --studio') as string,
    })
  })
})

describe.runIf(linux)('the page that leads to the link', () => {
  it('is not written through a link, to a folder that others can change, or without a home folder', () => {
    const dir = scratch()
    const folder = join(dir, 'almanac-studio')
    expect(writeStudioPage('http://127.0.0.1:1/session?once=x', join(dir, 'none', '\0'))).toBeNull()
    symlinkSync(scratch(), folder)
    expect(writeStudioPage('http://127.0.0.1:1/session?once=x', dir)).toBeNull()
    const open = scratch()
    mkdirSync(join(open, 'almanac-studio'))
    chmodSync(join(open, 'almanac-studio'), 0o777)
    expect(writeStudioPage('http://127.0.0.1:1/session?once=x', open)).toBeNull()
  })
})
