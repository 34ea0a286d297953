// Every command that works on an org names the folder that does not contain one, even if it does not exist.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commandNotes } from '../../docs/build/command-notes.ts'
import { commands } from '../../server/cli/commands.ts'
import { almanac, scratch } from './almanac.ts'

const work = scratch()
for (const folder of ['components', 'empty']) mkdirSync(join(work, folder))
for (const file of ['binding.json', 'rates.csv', 'map.json']) writeFileSync(join(work, file), '{}')

/** Where the first example has a file or an option that is read before the org. */
const instead: Readonly<Record<string, string>> = {
  replay: 'replay --result x',
  recompute: 'recompute --result x',
  push: 'push --remote test',
}

/** The arguments of the first example, without redirections and its own org. */
function argumentsOf(command: string): string[] {
  const example = instead[command] ?? commandNotes[command]!.examples[0]!.replace(/^almanac /, '')
  const words = [...example.replace(/ [<>] .*$/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
  const args = words.map(([, double, single, plain]) => double ?? single ?? plain!)
  const own = args.indexOf('--org')
  return own < 0 ? args : args.toSpliced(own, 2)
}

const withOrg = commands.filter(({ name }) => commandNotes[name]!.needs !== 'nothing')

it.each(withOrg.map(({ name }) => name))('almanac %s', (name) => {
  for (const folder of ['missing', 'empty']) {
    const org = join(work, folder)
    const before = readdirSync(work)
    const ran = almanac([...argumentsOf(name), '--org', org], { cwd: work })
    expect([ran.code, ran.out]).toEqual([1, ''])
    expect(ran.err).toMatch(/^(.* …\n)*org\.not_found /)
    expect(ran.err).toContain(org)
    expect([readdirSync(work), existsSync(join(work, 'missing'))]).toEqual([before, false])
  }
})
