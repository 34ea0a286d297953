// The generated pages of docs/reference/ match their sources.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandNotes } from '../../docs/build/command-notes.ts'
import { findingCodesOf } from '../../docs/build/finding-codes-of.ts'
import { pagePaths, pageText } from '../../docs/build/pages.ts'
import { componentTypes } from '../../server/kernel/components/component.ts'
import { roomOf } from '../../server/kernel/components/registry.ts'
import { findingHelp } from '../../server/kernel/errors/finding-help.ts'
import { commonOptions, commands } from '../../server/cli/commands.ts'
import { repositoryFiles, root } from './plain-words.ts'

describe('generated pages', () => {
  it.each(pagePaths)('%s is up to date; otherwise run "npm run docs"', async (path) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(await pageText(path))
  })

  it('describe every property of every type', async () => {
    const page = await pageText('docs/reference/component-types.md')
    const rows = page.split('\n').filter((line) => line.startsWith('| `'))
    expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([])
  })
})

describe('examples of the command line', () => {
  const flagsOf = (name: string): string[] =>
    [...commands.find((command) => command.name === name)!.options, ...commonOptions].map(
      ([flags]) => flags.split(' ')[0]!,
    )

  it.each(Object.entries(commandNotes))('of %s call it with its options', (name, { examples }) => {
    for (const example of examples) {
      expect(example).toMatch(new RegExp(`^almanac ${name}(?: |$)`))
      const used = example.match(/(?<= )--[a-z-]+/g) ?? []
      expect(used.filter((flag) => !flagsOf(name).includes(flag))).toEqual([])
    }
  })
})

describe('severities of findings', () => {
  const sources = repositoryFiles(['server'])
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
  const reported = (call: string): string[] =>
    sources.flatMap((source) =>
      Array.from(
        source.matchAll(new RegExp(`${call}\\([^()]*(?:\\([^()]*\\)[^()]*)*?'([a-z]+\\.[a-z_]+)'`, 'g')),
        ([, code]) => code!,
      ),
    )

  it.each([
    ['errorFinding', 'error'],
    ['warningFinding', 'warning'],
  ] as const)('of %s are in the catalogue', (call, severity) => {
    const codes = [...new Set(reported(call))]
    expect(codes.length).toBeGreaterThan(5)
    const help: Readonly<Record<string, { severities: readonly string[] }>> = findingHelp
    expect(codes.filter((code) => !help[code]?.severities.includes(severity))).toEqual([])
  })
})

describe('findings of a type', () => {
  it.each(componentTypes)('%s: are those that its rules name', (type) => {
    expect(findingCodesOf(type).length > 0).toBe(roomOf(type).rules.length > 0 && type !== 'value_set')
  })

  it('include those of the entries of one key together', () => {
    expect(findingCodesOf('config_entry')).toEqual(
      expect.arrayContaining(['config.range_gap', 'config.permission_tie']),
    )
    expect(findingCodesOf('feature_flag')).not.toContain('config.keyed_by')
  })
})
