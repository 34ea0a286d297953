// Masks the secrets that we sent to a server in its response, in each form in which they could appear.
import { formsOfSecret } from './secret-forms.ts'
import { withoutEscapes } from './without-escapes.ts'

const mask = '[redacted]'
/** What an escape begins with, and the zero bytes of UTF-16. */
const mayBeEscaped = /[\\%&\0]/

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
  const [texts, bare] = [forms.flatMap((form) => form.texts), forms.flatMap((form) => form.bare)]
  const isIn = (text: string, searched: readonly string[]): boolean => {
    const lower = text.toLowerCase()
    return searched.some((form) => lower.includes(form))
  }
  const hasSecret = (text: string): boolean =>
    isIn(text, texts) || (mayBeEscaped.test(text) && isIn(withoutEscapes(text), bare))
  let pattern: RegExp | undefined
  return (text) => {
    if (!hasSecret(text)) return text
    pattern ??= new RegExp(forms.flatMap((form) => form.pattern ?? []).join('|') || '(?!)', 'gi')
    const masked = text.replace(pattern, mask)
    return hasSecret(masked) ? mask : masked
  }
}
