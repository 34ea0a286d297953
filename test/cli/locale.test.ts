// --scope locale= in any case; a value that is not a language tag is a usage error.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { almanac, scratch, writeComponents } from './almanac.ts'

it('a locale matches in any case, and is refused if it is not a language tag', () => {
  const dir = scratch()
  const org = join(dir, 'org')
  const greeting = (slug: string, scope: object, words: string) => ({
    type: 'config_entry',
    key: `greeting.${slug}`,
    label: slug,
    body: { set: 'greeting', scope, values: { words } },
  })
  const fields = [{ key: 'words', type: 'text' }]
  const files = writeComponents(join(dir, 'files'), [
    {
      type: 'config_set',
      key: 'greeting',
      label: 'Greeting',
      body: {
        cardinality: 'singleton',
        scopes: ['locale', 'org'],
        fields,
        read: { administrator: 'read' },
        edit: { administrator: 'edit' },
      },
    } as { type: string; key: string },
    greeting('org', { kind: 'org' }, 'Hello'),
    greeting('at', { kind: 'locale', locale: 'de-at' }, 'Servus'),
  ])
  expect(almanac(['init', org]).code).toBe(0)
  expect(almanac(['apply', files, '--org', org]).err).toBe('')
  const words = (locale: string) =>
    almanac(['resolve', 'greeting', '--field', 'words', '--scope', `locale=${locale}`, '--org', org])
  expect(words('DE-at').out).toBe('Servus\n')
  expect(words('de').out).toBe('Hello\n')
  for (const bad of ['xx_bad', '*']) {
    const refused = words(bad)
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('is not a language tag')])
  }
})
