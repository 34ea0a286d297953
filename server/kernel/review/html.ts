// HTML templates that escape every inserted value, except HTML that was created here.

/** A complete and safe piece of HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | readonly Part[]

/**
 * `html\`<b>${name}</b>\``: texts are escaped, pieces and lists of pieces are inserted unchanged, null inserts nothing.
 */
export function html(fixed: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(
    fixed.map((text, at) => removeIndent(text) + (at < parts.length ? renderPart(parts[at]!) : '')).join(''),
  )
}

/** Removes the indentation of the template; inserted values keep their line breaks. */
function removeIndent(text: string): string {
  return text.replace(/\n\s+/g, '\n')
}

function renderPart(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(renderPart).join('')
  return escapeHtml(String(part))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign]!).replace(invisibleCharacters, '\ufffd')
}

/** Control characters and text direction marks: a line with them would look different from its content. */
const invisibleCharacters =
  // eslint-disable-next-line no-control-regex -- the pattern matches control characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
