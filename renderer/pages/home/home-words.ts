// The words of the home page.
import type { HomeDay, HomeDraft, HomeRequest } from '#wire/index.ts'
import { count, longDate } from '../../text/words.ts'

/** Pixels of a mark and of an average letter at the size of a row. */
const markWidth = 24
const letterWidth = 6.6

/** Approximate pixels of a text without a mark. */
export const labelWidth = (text: string): number => text.length * letterWidth

/** Approximate pixels of the name of a month, which is semi-bold, with its padding. */
export const monthWidth = (name: string): number => name.length * 8.4 + 14

/** Approximate pixels of a text with its mark. */
export const textWidth = (text: string): number => Math.round(markWidth + labelWidth(text))

/** Describes the changes to a set on one day: the first change, and how many more there are. */
export function dayWords({ set, changes, total }: HomeDay): {
  lead: string
  strong: string
  more: string
  /** Whether the org has no value from that day on. */
  gap: boolean
} {
  const [first] = changes
  if (first === undefined) return { lead: set, strong: '', more: '', gap: false }
  const where = first.scope.kind === 'org' ? [] : [first.scope.kind.replace('_', ' ')]
  const lead = [set, ...(first.key === null ? [] : [first.key]), ...where].join(', ')
  const more = total > 1 ? `and ${count(total - 1, 'more', 'more')}` : ''
  if (first.after === null) {
    const gap = first.scope.kind === 'org'
    return { lead, strong: gap ? 'no value' : 'ends', more, gap }
  }
  return {
    lead,
    strong: first.before === null ? first.after : `${first.before} → ${first.after}`,
    more,
    gap: false,
  }
}

export function requestWords({ state, approvals, requiredApprovals }: HomeRequest): string {
  if (state === 'approved') return 'approved'
  if (state === 'failed') return 'could not be applied'
  return `${approvals} of ${count(requiredApprovals, 'approval')}`
}

/** `4 changes, applies 24 Nov 2026`. */
export const requestFacts = ({ changes, applyOn }: HomeRequest): string =>
  applyOn === null ? count(changes, 'change') : `${count(changes, 'change')}, applies ${longDate(applyOn)}`

/** `vat_rate.de_2027` of `config_entry/vat_rate.de_2027`. */
export const draftName = ({ id }: HomeDraft): string => id.slice(id.indexOf('/') + 1)

export const draftPath = ({ id }: HomeDraft): string => {
  const [type, key = ''] = [id.slice(0, id.indexOf('/')), id.slice(id.indexOf('/') + 1)]
  return type === 'config_entry' ? `/c/config_set/${key.split('.')[0]}` : `/c/${type}/${key}`
}
