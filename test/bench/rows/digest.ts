// Content identity: our normal form, canonical text and SHA-256, against the reference package with the same SHA-256.
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { componentDigest } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { roomOf } from '#kernel/components/registry.ts'
import { answering } from '../support/answers.ts'
import { compare } from '../support/compare.ts'
import { duration, times, type Part } from '../support/part.ts'
import { parsedTariff, tariff, tariffEntries, tariffSet } from '../support/tariff.ts'

type Entry = ComponentOf<'config_entry'>

const sha256 = (text: string): string => hash('sha256', text, 'hex')

export const digestPart: Part = {
  name: 'digest',
  title: 'Digest',
  async run({ say }) {
    say('digest 100,000 entries')
    const keys = tariff(20_000, 5, false)
    const { set, entries } = parsedTariff(tariffSet('tariff', ['org']), tariffEntries('tariff', keys))
    const view = new MemoryView([set])
    const { normalise } = roomOf('config_entry')
    const asTyped = entries.map((entry, at) => (at % 2 === 0 ? entry : withoutZeros(entry)))
    const expected = entries.map((entry) => `jcs1:sha256:${sha256(canonicalize(entry)!)}`)
    const sides = [
      answering('ours', expected, (out) => {
        for (const [at, entry] of asTyped.entries())
          out[at] = componentDigest(normalise?.(entry, view) ?? entry, sha256)
      }),
      answering('reference', expected, (out) => {
        for (const [at, entry] of entries.entries()) out[at] = `jcs1:sha256:${sha256(canonicalize(entry)!)}`
      }),
    ]
    const [ours, reference] = await compare(sides, { rounds: 9 })
    return {
      lines: [
        {
          what: 'normalise, canonical text, SHA-256',
          work: '100,000 entries',
          ours: `${duration(ours!.ms / entries.length)} each`,
          against: `\`canonicalize\` and SHA-256 ${duration(reference!.ms / entries.length)} each`,
          ratio: times(ours!.ms / reference!.ms),
          aim: 'within 1.3×',
          met: ours!.ms <= 1.3 * reference!.ms,
        },
      ],
      notes: [
        'Both sides hash with the same `node:crypto`; ours also normalises values to their declared types, which every second entry needs (`12.5` becomes `12.50`). Every digest is the same on both sides.',
      ],
    }
  },
}

/** The same entry as a user might type it: its number with trailing zeros. */
function withoutZeros(entry: Entry): Entry {
  const rate = String(entry.body.values['rate']).replace(/\.?0+$/, '')
  return { ...entry, body: { ...entry.body, values: { rate } } }
}
