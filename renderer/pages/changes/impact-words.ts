// The impact of a change list in words.
import type { FlipView, Impact } from '../../api/wire.ts'
import { count, listWords } from '../../text/words.ts'

/** `everyone else`, `user jon`, `app shop and 3 more`. */
export function flipWho({ kind, who, hidden }: Pick<FlipView, 'kind' | 'who' | 'hidden'>): string {
  if (kind === 'everyone') return 'for everyone else'
  const name = kind.replace('_', ' ')
  if (hidden || who.items.length === 0) return `for ${count(who.total, name)}`
  const names = who.items.slice(0, 3).join(', ')
  const more = who.total > 3 ? ` and ${who.total - 3} more` : ''
  return `for ${name} ${names}${more}`
}

/** Describes the effects of an apply beyond the list, in a few sentences. */
export function impactSentence({ readers, resolution, keys, flips, results }: Impact): string {
  const read =
    readers.total === 0 ? 'Nothing reads the changed components.' : `Read by ${readersWords(readers.byType)}.`
  const looked = keys.looked < keys.total ? ` of the first ${keys.looked.toLocaleString('en-GB')} keys` : ''
  const answers =
    resolution.total === 0
      ? 'No configuration value changes on any day.'
      : `${count(resolution.total, 'resolved value')}${looked} would change.`
  const flags = flips.items.filter(({ flag }) => flag).length
  const flip = flags === 0 ? 'No flag flips.' : `${count(flags, 'flag flip')}.`
  return [read, answers, flip, resultsSentence(results)].filter(Boolean).join(' ')
}

function readersWords(groups: Impact['readers']['byType']): string {
  return listWords(groups.map(({ title, direct, further }) => count(direct + further, title)))
}

function resultsSentence({ changed, looked, total }: Impact['results']): string {
  if (total === 0) return ''
  const all = count(total, 'stored result')
  const some = `${looked.toLocaleString('en-GB')} of ${all}`
  if (changed.length === 0) {
    if (looked < total) return `None of the first ${some} would change if recomputed.`
    return total === 1
      ? 'The stored result would not change if recomputed.'
      : `None of ${all} would change if recomputed.`
  }
  const which = total === 1 ? 'The stored result' : `${changed.length.toLocaleString('en-GB')} of ${all}`
  return `${which} would change if recomputed. An apply changes no stored result: each keeps its vintage until a user chooses Recompute now.`
}
