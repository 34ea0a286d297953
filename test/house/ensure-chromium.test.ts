// Every way to get a Chromium is tried; if none works, one message names what to install.
import { describe, expect, it } from 'vitest'
import { ensureChromium, type Machine } from '../run/ensure-chromium.mjs'

interface Case {
  present?: string[]
  named?: string
  /** Executables that exist but do not start. */
  broken?: string[]
  downloaded?: string
  root?: boolean
  /** Results of `apt-get install`, in order. */
  installs?: boolean[]
  updates?: boolean
}

function machine({
  named,
  present = [],
  broken = [],
  downloaded,
  root = false,
  installs = [],
  updates = true,
}: Case) {
  const paths = [...present, ...broken]
  const steps: string[] = []
  const output: string[] = []
  const left = [...installs]
  const apt = ([verb, ...rest]: string[]): boolean => {
    if (verb === 'update') {
      steps.push('update')
      return updates
    }
    const name = rest.at(-1)!
    steps.push(name)
    const done = left.shift() ?? false
    if (done) paths.push(`/usr/bin/${name}`)
    return done
  }
  const fake: Machine = {
    named,
    list: () => paths,
    starts: (path) => !broken.includes(path),
    download: () => {
      steps.push('download')
      if (downloaded !== undefined) paths.unshift(downloaded)
      return downloaded !== undefined
    },
    mayInstallPackages: () => root,
    apt,
    say: (line) => output.push(line),
  }
  return { fake, steps, output }
}

describe('ensureChromium', () => {
  it('uses only the one that is named', () => {
    const { fake, steps, output } = machine({ named: '/b', broken: ['/b'], downloaded: '/pw', root: true })
    expect(ensureChromium(fake)).toBeUndefined()
    expect(steps).toEqual([])
    expect(output).toEqual(['ALMANAC_CHROMIUM names /b, which does not start. Correct it, or unset it.'])
  })

  it.each<[string, Case, string | undefined, string[]]>([
    ['uses an installed one', { present: ['/c'] }, '/c', []],
    ['skips one that does not start', { broken: ['/b'], present: ['/c'] }, '/c', []],
    ['downloads one', { downloaded: '/pw' }, '/pw', ['download']],
    [
      'installs the package if the download fails',
      { root: true, installs: [true] },
      '/usr/bin/chromium-headless-shell',
      ['download', 'chromium-headless-shell'],
    ],
    [
      'installs the package if the downloaded one does not start',
      { broken: ['/pw'], downloaded: '/pw', root: true, installs: [true] },
      '/usr/bin/chromium-headless-shell',
      ['download', 'chromium-headless-shell'],
    ],
    [
      'installs the larger package in a release without the smaller one',
      { root: true, installs: [false, true] },
      '/usr/bin/chromium',
      ['download', 'chromium-headless-shell', 'chromium'],
    ],
    [
      'updates the package lists once if neither package is known',
      { root: true, installs: [false, false, true] },
      '/usr/bin/chromium-headless-shell',
      ['download', 'chromium-headless-shell', 'chromium', 'update', 'chromium-headless-shell'],
    ],
    [
      'gives up if the package lists cannot be updated',
      { root: true, installs: [false, false, true], updates: false },
      undefined,
      ['download', 'chromium-headless-shell', 'chromium', 'update'],
    ],
    ['gives up without root rights', {}, undefined, ['download']],
    [
      'gives up if no way works',
      { root: true, installs: [] },
      undefined,
      ['download', 'chromium-headless-shell', 'chromium', 'update', 'chromium-headless-shell', 'chromium'],
    ],
  ])('%s', (_what, given, path, steps) => {
    const { fake, ...seen } = machine(given)
    expect(ensureChromium(fake)).toBe(path)
    expect(seen.steps).toEqual(steps)
    if (path === undefined) expect(seen.output.at(-1)).toContain('Install Chromium or Chrome')
  })
})
