// Makes text of an org safe for a terminal: escapes control characters and cuts long text.

const lineBreak = '\n'
/** C0, C1 and DEL, and characters that change the direction of text or end a line. */
const controls = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
/** The sequences that `paint` writes; none that hide, move or name. */
const colour = new RegExp(`(${String.fromCharCode(27)}\\[(?:[0-79]|2[2-9]|3[0-9]|4[0-9]|9[0-7])m)`, 'g')

/**
 * Formats a value, label or message on one line, truncated after `most` characters, each control character as its code.
 */
export function printableText(text: string, most = 200): string {
  return truncate(text, most).replace(controls, escapeCode)
}

/** Formats several lines, which may contain colours of `paint`; every other control character as its code. */
export function escapeControls(text: string, colours: boolean): string {
  const safe = (part: string): string =>
    part.replace(controls, (at) => (at === lineBreak ? at : escapeCode(at)))
  if (!colours) return safe(text)
  return text
    .split(colour)
    .map((part, at) => (at % 2 === 1 ? part : safe(part)))
    .join('')
}

/** Formats a cell of a table: on one line and truncated; a short cell keeps its colours. */
export function cellText(text: string, most: number): string {
  if (text.length <= most) return escapeControls(text, true).replaceAll(lineBreak, '\\u000a')
  const bare = text.slice(0, most * 8).replace(colour, '')
  return bare.length <= most && text.length <= most * 8
    ? escapeControls(text, true).replaceAll(lineBreak, '\\u000a')
    : printableText(text.length <= most * 8 ? bare : text, most)
}

function truncate(text: string, most: number): string {
  if (text.length <= most) return text
  // Never cuts a surrogate pair in half.
  const head = text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return `${head}… (${text.length.toLocaleString('en')} characters)`
}

function escapeCode(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
}
