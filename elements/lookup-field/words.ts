// The element's own texts. A page in another language sets its own.

export interface LookupWords {
  placeholder: string
  clear: string
  searching(query: string): string
  none(query: string): string
  /** Below `min-chars`. */
  more(missing: number): string
  failed: string
  /** A record could not be created. */
  unmade: string
  again: string
  /** Several pages had no rows, so the search is paused. */
  further: string
  /** No source was given. */
  noSource: string
  /** `total` is -1 if the source has more and does not know how many. */
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
  unmade: 'It was not created.',
  again: 'Try again',
  noSource: 'No source to search.',
  count: (shown, total) =>
    total < 0
      ? `The first ${shown} results`
      : shown < total
        ? `${shown} of ${total} results`
        : `${total} result${total === 1 ? '' : 's'}`,
  further: 'No results yet. Keep searching',
  loading: 'Loading more…',
  making: (label) => `${label}…`,
  missing: 'Choose one.',
  nothing: '—',
}

/** Shared by the whole page, even if it loads two copies, because the first copy defines the elements. */
const shared: { words: LookupWords; drawn: Set<{ render(): void }> } = ((
  globalThis as Record<symbol, unknown>
)[Symbol.for('svc-lookup-field')] ??= { words: english, drawn: new Set() }) as never

/** The texts, and the elements of the page that show them. */
export const { words, drawn } = shared

/** A line that tries again on a press or Enter. */
export const failureText = (what = words.failed): string => `${what} ${words.again}`

/** Replaces the words of this page's elements; omitted ones stay unchanged. */
export function setLookupWords(own: Partial<LookupWords>): void {
  Object.assign(words, own)
  for (const each of drawn) each.render()
}
