// Reads the dotted chain that ends at the cursor, backwards from unfinished text.

export interface ChainLink {
  /** `""` for a text literal. */
  name: string
  /** Followed by parentheses. */
  called: boolean
  /** How many `[…]` follow it. */
  indexes?: number
}

export interface Chain {
  /** Where the word at the cursor begins. */
  start: number
  prefix: string
  /** The links before the word, outermost first: `config.vat("DE").ra` has the links config, vat(). */
  links: ChainLink[]
  /** Inside a text literal that is the first argument of the last link. */
  inText: boolean
  inComment: boolean
}

export function chainBefore(before: string): Chain {
  const { openQuote, inComment } = scan(before)
  if (openQuote !== null) {
    const call = /\(\s*$/.test(before.slice(0, openQuote))
      ? before.slice(0, before.lastIndexOf('(', openQuote))
      : null
    const links = call === null ? [] : linksBefore(call + '.')
    return { start: openQuote + 1, prefix: before.slice(openQuote + 1), links, inText: true, inComment }
  }
  const prefix = /\w*$/.exec(before)![0]
  const start = before.length - prefix.length
  return { start, prefix, links: linksBefore(before.slice(0, start)), inText: false, inComment }
}

/** Whether the end is in a text (and where it opened) or in a comment. */
function scan(text: string): { openQuote: number | null; inComment: boolean } {
  let openQuote: number | null = null
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (openQuote !== null) {
      if (char === '\\') i++
      else if (char === text[openQuote]) openQuote = null
    } else if (char === '"' || char === "'") openQuote = i
    else if (char === '/' && text[i + 1] === '/') {
      const end = text.indexOf('\n', i)
      if (end < 0) return { openQuote: null, inComment: true }
      i = end
    }
  }
  return { openQuote, inComment: false }
}

/** Returns the links of a text that ends in a dot; none if it does not. */
function linksBefore(text: string): ChainLink[] {
  const links: ChainLink[] = []
  let end = trimmedEnd(text, text.length)
  while (text[end - 1] === '.') {
    end = trimmedEnd(text, end - 1)
    let indexes = 0
    for (; text[end - 1] === ']'; indexes++) end = trimmedEnd(text, openingOf(text, end - 1))
    const called = text[end - 1] === ')'
    if (called) end = trimmedEnd(text, openingOf(text, end - 1))
    const quote = text[end - 1]
    if (!called && (quote === '"' || quote === "'")) return [{ name: '""', called }, ...links]
    const name = /\w*$/.exec(text.slice(0, end))![0]
    if (name === '') return links.length === 0 ? [{ name: '', called: true }] : links
    links.unshift(indexes === 0 ? { name, called } : { name, called, indexes })
    end = trimmedEnd(text, end - name.length)
  }
  return links
}

function trimmedEnd(text: string, end: number): number {
  let at = end
  while (at > 0 && /\s/.test(text[at - 1]!)) at--
  return at
}

/** Returns the index of the parenthesis or bracket that opens the one at `close`, skipping text literals in between. */
function openingOf(text: string, close: number): number {
  let depth = 0
  let quote: string | null = null
  for (let i = close; i >= 0; i--) {
    const char = text[i]!
    if (quote !== null) {
      if (char === quote) quote = null
    } else if (char === '"' || char === "'") quote = char
    else if (char === ')' || char === ']') depth++
    else if ((char === '(' || char === '[') && --depth === 0) return i
  }
  return 0
}
