// HTML in which whatever is put in is text, unless it was made here.

/** A piece of HTML that is whole and safe. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | readonly Part[]

/** `html\`<b>${name}</b>\``: names are escaped, pieces and lists of pieces stand as they are, null is nothing. */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    fixed.map((text, at) => unindented(text) + (at < parts.length ? written(parts[at]!) : '')).join(''),
  )
}

/** The layout of our own source; what is put in keeps its lines. */
function unindented(text: string): string {
  return text.replace(/\n\s+/g, '\n')
}

function written(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return escaped(String(part))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign]!).replace(unseen, '\ufffd')
}

/** Controls and marks that turn the direction of text: a line with them would look other than it is. */
// eslint-disable-next-line no-control-regex -- it is controls that are looked for
const unseen = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
