import { expect, it } from 'vitest'
import { browserWords } from './browser-words.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

it.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/143.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`,
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 15.1; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} almanac/0.1.0 Chrome/142.0.0.0 Electron/39.0.0 Safari/537.36`,
    'Almanac desktop on Linux',
  ],
  ['Mozilla/5.0 (compatible)', 'Mozilla/5.0 (compatible)'],
  ['nightly export', 'nightly export'],
  ['', ''],
])('%s is named "%s"', (label, words) => {
  expect(browserWords(label)).toBe(words)
})
