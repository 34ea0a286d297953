import { describe, expect, it } from 'vitest'
import { parseArguments, parseStartRequest } from './start-arguments.ts'

describe('the arguments of a start', () => {
  it.each([
    ['nothing', [], { org: null, address: null }],
    ['a folder', ['--org', '/data/org'], { org: '/data/org', address: null }],
    ['a folder from where it was started', ['--org', '../org'], { org: '/home/org', address: null }],
    ['a folder in one word', ['--org=org'], { org: '/home/person/org', address: null }],
    [
      'an address, among the arguments that Chromium adds',
      ['--no-sandbox', 'almanac://studio/changes?x=1#y', '--original-process-start-time=1'],
      { org: null, address: '/changes?x=1#y' },
    ],
    ['not a missing folder', ['--org'], { org: null, address: null }],
    ['not a folder that is an option', ['--org', '--inspect'], { org: null, address: null }],
    [
      'not a link with a different scheme',
      ['https://example.org/', 'almanac://evil/changes'],
      { org: null, address: null },
    ],
  ])('%s', (_case, argv, expected) => {
    expect(parseArguments(argv, '/home/person')).toEqual(expected)
  })

  it.each([
    [
      { org: '/data/org', address: '/audit' },
      { org: '/data/org', address: '/audit' },
    ],
    [
      { org: '', address: '\\\\host' },
      { org: null, address: null },
    ],
    [null, { org: null, address: null }],
    ['/data/org', { org: null, address: null }],
  ])('takes the valid parts of %j', (given, expected) => {
    expect(parseStartRequest(given)).toEqual(expected)
  })
})
