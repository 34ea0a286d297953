import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { urlSplitter } from './split-url.ts'

const parsed = (text: string): object => {
  const { origin, hostname, pathname, search } = new URL(text)
  return { origin, hostname: hostname.replace(/^\[|\]$/g, ''), path: pathname + search }
}

it.each([
  'http://a.example:808/orders/1',
  'http://a.example:8080/orders/1',
  'http://a.example:808@b.example/orders/1',
  'http://a.example:808',
  'http://a.example:808?x=1',
  'http://a.example:808//b.example/orders',
  'http://a.example:808/\\b.example',
  'http://a.example:808/a/../b',
  'http://a.example:808/a/%2e%2e/b#c',
  'http://[::1]:808/a?b=c',
])('splits %s as URL does, also after another URL', (text) => {
  const split = urlSplitter()
  expect(split('http://a.example:808/first')).toEqual(parsed('http://a.example:808/first'))
  expect(split(text)).toEqual(parsed(text))
  expect(split(text)).toEqual(parsed(text))
})

it('splits any URLs as URL does, in any order', () => {
  const origin = fc.constantFrom(
    'http://a',
    'http://a.example',
    'https://a:81',
    'http://[::1]',
    'http://1.2.3.4',
  )
  const part = fc.oneof(
    fc.constantFrom('/', '.', '..', '%2e', '@b', ':8', '?', '#', '\\', '//', ' ', '\t', '|', '{'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const url = fc
    .tuple(origin, fc.array(part, { maxLength: 6 }))
    .map(([from, parts]) => from + parts.join(''))
    .filter((text) => URL.canParse(text))
  fc.assert(
    fc.property(fc.array(url, { minLength: 2, maxLength: 6 }), (urls) => {
      const split = urlSplitter()
      for (const text of urls) expect(split(text)).toEqual(parsed(text))
    }),
  )
})
