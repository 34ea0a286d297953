// Parts of Markdown pages. Prettier decides the layout; docs/build/pages.ts applies it.

/** Formats text of the code as Markdown: what has a meaning there is escaped, and a form such as <object>.<field> is code. */
export function plain(text: string): string {
  return text
    .split(/((?:[\w./]*<[^<>]+>)+(?:\.\w+)?)/)
    .map((part, at) => (at % 2 === 1 ? code(part) : escapeMarks(part)))
    .join('')
}

/** An underscore inside a word has no meaning. */
function escapeMarks(text: string): string {
  return text.replace(/[\\*[\]`|]|(?<!\w)_|_(?!\w)/g, (mark) => `\\${mark}`)
}

export function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``
}

export function codes(texts: readonly string[]): string {
  return texts.map(code).join(', ')
}

/** Creates a table; a column without any content is omitted. Empty if the list of rows is empty. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, at) => at === 0 || rows.some((row) => row[at] !== ''))
  const line = (cells: readonly string[]): string => `| ${cells.filter((_, at) => used[at]).join(' | ')} |`
  return rows.length === 0 ? '' : [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The anchor of a heading, as GitHub makes it. */
export function anchor(heading: string): string {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
  return `#${kept.replaceAll(' ', '-')}`
}

export function linkTo(heading: string, page = ''): string {
  return `[${heading}](${page}${anchor(heading)})`
}

export function json(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}

/** Joins the blocks of a page; empty ones are omitted. */
export function blocks(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}
