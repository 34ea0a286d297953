import { describe, expect, it } from 'vitest'
import { chooseStudio } from './choose-studio.mjs'

const desk = {
  platform: 'linux' as const,
  display: true,
  asRoot: false,
  binary: true,
  triedLately: false,
  requestedStudio: undefined,
}

describe('the studio that opens', () => {
  it.each([
    ['on a desk with Electron', {}, 'desktop'],
    ['without the binary', { binary: false }, 'download'],
    ['after a recent failed download', { binary: false, triedLately: true }, 'browser'],
    [
      'after such a failure, on request',
      { binary: false, triedLately: true, requestedStudio: 'desktop' as const },
      'download',
    ],
    ['without a display', { display: false }, 'browser'],
    ['as root on Linux', { asRoot: true }, 'browser'],
    ['as root on a Mac', { asRoot: true, platform: 'darwin' as const }, 'desktop'],
    ['when the browser is requested', { requestedStudio: 'browser' as const }, 'browser'],
  ])('%s', (_where, differing, studio) => {
    expect(chooseStudio({ ...desk, ...differing }).studio).toBe(studio)
  })

  it('gives a reason', () => {
    expect(chooseStudio({ ...desk, display: false }).reason).toMatch(/no display/)
  })
})
