// A call of a source in words: its arguments, how it ended, and the other arguments of the element.
import { count } from '../../text/words.ts'
import type { SourceCall } from './watched-source.ts'

export function callWords(call: SourceCall): { name: string; detail: string; tone?: 'err' | 'muted' } {
  const { query, matchFields, displayFields, cursor, state, ms } = call
  const input = `${query === '' ? 'all' : `“${query}”`}${cursor === null ? '' : `, ${pageOf(cursor)}`}`
  const request = [
    ...(matchFields.length === 0 ? [] : [`match ${matchFields.join(', ')}`]),
    ...(displayFields.length === 0 ? [] : [`display ${displayFields.join(', ')}`]),
  ]
  const detail = (outcome: string): string =>
    [`${input}${outcome === '' ? '' : `: ${outcome}`}`, ...request].join('; ')
  const name = `search ${state}`
  switch (state) {
    case 'waiting':
      return { name, detail: detail('') }
    case 'answered':
      return { name, detail: detail(`${countText(call)} in ${ms} ms`) }
    case 'failed':
      return { name, detail: detail(`after ${ms} ms`), tone: 'err' }
    case 'cancelled':
      return {
        name,
        detail: detail(call.late ? 'returned later, ignored' : `after ${ms} ms`),
        tone: 'muted',
      }
  }
}

/** The cursor of a server means nothing to the user. */
const pageOf = (cursor: unknown): string => (typeof cursor === 'number' ? `page at ${cursor}` : 'next page')

const countText = ({ count: many, total }: SourceCall): string =>
  total !== null && total > many ? `${many} of ${total.toLocaleString('en-GB')}` : count(many, 'option')
