// What the element says by itself. A page in another language sets its own.

export interface LookupWords {
  placeholder: string
  clear: string
  searching(query: string): string
  none(query: string): string
  /** Below `min-chars`. */
  more(missing: number): string
  failed: string
  /** A record could not be made. */
  unmade: string
  again: string
  /** So many pages without a row came that the search rests. */
  further: string
  /** No source was given. */
  noSource: string
  /** `total` is -1 where the source has more and does not know how many. */
  count(shown: number, total: number): string
  loading: string
  making(label: string): string
  missing: string
  nothing: string
}

const english: LookupWords = {
  placeholder: 'Search…',
  clear: 'Clear',
  searching: (query) => (query === '' ? 'Searching…' : `Searching for “${query}”…`),
  none: (query) => (query === '' ? 'Nothing to choose from' : `No matches for “${query}”`),
  more: (missing) => `Type ${missing} more character${missing === 1 ? '' : 's'}`,
  failed: 'The search failed.',
  unmade: 'It was not made.',
  again: 'Try again',
  noSource: 'There is no source to search.',
  count: (shown, total) =>
    total < 0
      ? `The first ${shown} results`
      : shown < total
        ? `${shown} of ${total} results`
        : `${total} result${total === 1 ? '' : 's'}`,
  further: 'Nothing so far. Search further',
  loading: 'Loading more…',
  making: (label) => `${label}…`,
  missing: 'Choose one.',
  nothing: '—',
}

/** One for the whole page, whose elements are the first copy's even where it loads two. */
const shared: { words: LookupWords; drawn: Set<{ render(): void }> } = ((
  globalThis as Record<symbol, unknown>
)[Symbol.for('svc-lookup-field')] ??= { words: english, drawn: new Set() }) as never

/** What is said; and those that stand in the page. */
export const { words, drawn } = shared

/** Where a press, or Enter, tries again. */
export const failed = (what = words.failed): string => `${what} ${words.again}`

/** Replaces what the elements of this page say; what is left out stays as it is. */
export function setLookupWords(own: Partial<LookupWords>): void {
  Object.assign(words, own)
  for (const each of drawn) each.render()
}
