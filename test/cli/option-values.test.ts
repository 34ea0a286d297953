// Every value that a command cannot read is a usage error (exit code 2) that names the option, before the org is
// opened. Made from the declarations, so a new option must have either a checked or a free value.
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commonOptions, commands } from '../../server/cli/commands.ts'
import { placeholderOf } from '../../server/cli/value-kinds.ts'
import { almanac, scratch } from './almanac.ts'

/** Values that an option with this placeholder does not take. */
const malformed: Readonly<Record<string, readonly string[]>> = {
  n: ['x', '-1', '1.5', '99999999999'],
  generation: ['x', '1.5'],
  number: ['x', '1.5'],
  size: ['x', '0', '12 parsec'],
  port: ['x', '65536', '-1'],
  date: ['x', '2024-02-30', '2024-2-3', '01/02/2024', '2024-02-03T00:00:00Z'],
  'date|none': ['x', '2024-02-30', 'never'],
  'type/key': ['x', 'config_set', 'config_set/', 'nothing/x'],
  'subject/key': ['x', '/x', 'user/'],
  address: ['a b', 'http://x', 'x:80'],
  host: ['a b', '10.0.0.0/33', '10.0.0.0/x', 'name/8', '::1/129'],
  collector: ['x', 'ftp://example.org'],
  url: ['x', 'ftp://example.org', 'https://example.org/path'],
  'dir or URL': ['ftp://example.org', 'https://example.org/path'],
  'key or url': ['ftp://example.org', 'https://example.org/path'],
  tag: ['xx_bad', '*'],
  states: ['x', 'open,x'],
  'kind=value': ['x', 'x=1', 'org=1', 'locale=xx_bad', 'user='],
  'name:type=value': [
    ...['x', 'x:y', 'a:none=1', 'a:number=x', 'a:date=2024-02-30', 'a:boolean=yes'],
    'a:datetime=2024-02-03',
  ],
  choice: ['x', 'config.range_gap=x', 'x=extend_earlier'],
  plan: ['x', 'x/1/y'],
}

/** Any text, or a name that only the org knows. */
const free = new Set([
  ...['name', 'text', 'user', 'token', 'key', 'id', 'label', 'words', 'kind', 'member', 'field', 'digest'],
  ...['dir', 'file', 'folder', 'map', 'uuid', 'set', 'expression', 'result', 'bundle', 'action'],
  ...['object', 'names', 'values', 'credential', 'principal'],
])

interface Declared {
  command: string
  /** `--as-of`, or `<generation>`. */
  name: string
  placeholder: string
  /** The arguments before the value. */
  before: string[]
  after: string[]
}

/** Values of the arguments of a command, of which no malformed one is refused before the option. */
const valid: Readonly<Record<string, string>> = {
  generation: '1',
  'date|none': 'none',
  number: '1',
  size: '1MiB',
  'type/key': 'config_set/x',
}

const declared: Declared[] = commands.flatMap(({ name: command, usage, options }) => {
  const words = command.split(' ')
  const parts = usage === '' ? [] : usage.split(' ')
  const args = parts.map((part) => valid[placeholderOf(part)!] ?? 'x')
  const required = args.filter((_, at) => parts[at]!.startsWith('<'))
  return [
    ...parts.map((part, at) => ({
      ...{ command, name: part, placeholder: placeholderOf(part)! },
      before: [...words, ...args.slice(0, at)],
      after: args.slice(at + 1),
    })),
    ...[...options, ...commonOptions].flatMap(([flags]) => {
      const placeholder = placeholderOf(flags)
      const name = flags.split(' ')[0]!
      return placeholder === null
        ? []
        : [{ command, name, placeholder, before: [...words, ...required, name], after: [] }]
    }),
  ]
})

const isChecked = ({ placeholder }: Declared): boolean =>
  Object.hasOwn(malformed, placeholder) || placeholder.includes('|')

it('every option and argument has a value that is checked, or one that is free', () => {
  const unknown = declared.filter((each) => !isChecked(each) && !free.has(each.placeholder))
  expect(unknown.map(({ command, name, placeholder }) => [command, name, placeholder])).toEqual([])
})

const checked = declared.filter(isChecked)

it.each([...new Set(checked.map(({ command }) => command))])('almanac %s', (command) => {
  const org = join(scratch(), 'missing')
  for (const { name, placeholder, before, after } of checked.filter((each) => each.command === command))
    for (const value of malformed[placeholder] ?? ['x']) {
      // A value that begins with a dash must be attached to its option.
      const args = value.startsWith('-') ? [...before.slice(0, -1), `${name}=${value}`] : [...before, value]
      const place = name === '--org' ? [] : ['--org', org]
      const { code, err } = almanac([...args, ...after, ...place])
      // The next line is the usage, which contains every name.
      const [message] = err.split('\n')
      expect([args.join(' '), code, message]).toEqual([args.join(' '), 2, expect.stringContaining(name)])
    }
})
