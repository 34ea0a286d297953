// Masks the secrets that we sent to a server in its response, in each form in which they could appear.
import { formsOfSecret } from './secret-forms.ts'
import { withoutEscapes } from './without-escapes.ts'

const mask = '[redacted]'
/** What an escape begins with, and the zero bytes of UTF-16. */
const mayBeEscaped = /[\\%&\0]/
/** In a longer text, an escaped secret is not searched alone: that takes a microsecond for each character. */
const longestSearched = 65_536

/**
 * Returns a function that masks the secrets in a text, without regard to case. A secret of fewer than 4 characters would mask
 * half of any text. If a secret cannot be masked alone, because it is escaped in a way of its own, the whole text is.
 */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const forms = [...new Set(secrets)]
    .filter((secret) => secret !== undefined)
    .sort((a, b) => b.length - a.length)
    .map(formsOfSecret)
    .filter((found) => found !== null)
  if (forms.length === 0) return (text) => text
  const [whole, within] = [forms.flatMap((form) => form.whole), forms.flatMap((form) => form.within)]
  const [plain, bare] = [[...whole, ...within], forms.flatMap((form) => form.bare)]
  const isIn = (text: string, searched: readonly string[]): boolean => {
    const lower = text.toLowerCase()
    return searched.some((form) => lower.includes(form))
  }
  const hasSecret = (text: string): boolean =>
    isIn(text, plain) || (mayBeEscaped.test(text) && isIn(withoutEscapes(text), bare))
  let pattern: RegExp | undefined
  return (text) => {
    if (!hasSecret(text)) return text
    const found = maskForms(maskForms(text, whole, false), within, true)
    if (!hasSecret(found)) return found
    if (found.length > longestSearched) return mask
    pattern ??= new RegExp(forms.flatMap((form) => form.pattern ?? []).join('|') || '(?!)', 'gi')
    const masked = found.replace(pattern, mask)
    return hasSecret(masked) ? mask : masked
  }
}

/** @param hasEdges whether the characters of base64 next to a form are masked too */
function maskForms(text: string, forms: readonly string[], hasEdges: boolean): string {
  let result = text
  for (const form of forms) {
    const lower = result.toLowerCase()
    // Few characters have a small letter of a different length.
    if (lower.length !== result.length) return result
    let at = lower.indexOf(form)
    if (at === -1) continue
    const parts: string[] = []
    let from = 0
    for (; at !== -1; at = lower.indexOf(form, from)) {
      const [start, end] = [at, at + form.length]
      const [before, after] = hasEdges ? [edgeAt(lower, start - 1), edgeAt(lower, end)] : [0, 0]
      parts.push(result.slice(from, Math.max(from, start - before)), mask)
      from = end + after
    }
    parts.push(result.slice(from))
    result = parts.join('')
  }
  return result
}

const edgeAt = (text: string, at: number): 0 | 1 => (/^[a-z0-9+/_-]$/.test(text.charAt(at)) ? 1 : 0)
