// Patterns of schemas on the linear engine of expressions, so that no pattern can block a call.
import { compilePattern, PatternError } from '#kernel/expr/pattern/pattern.ts'

/** `spend` counts the work as it is done, and can throw. */
export type PatternMatcher = (text: string, spend: (steps: number) => void) => boolean

const mostLength = 10_000

/**
 * Returns null without a pattern, or for one that needs what the engine does not have, such as look-around: it is not
 * checked then.
 */
export function patternMatcher(pattern: string | undefined): PatternMatcher | null {
  if (pattern === undefined || pattern.length > mostLength) return null
  try {
    return compilePattern(translate(pattern))
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

const escapes = /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([fv0])|[^])/g
const controls: Readonly<Record<string, string>> = { f: '\f', v: '\v', 0: '\0' }

/** Writes characters that ECMA-262 can name by number as themselves: the engine has no numbers. */
function translate(pattern: string): string {
  return pattern.replaceAll(escapes, (whole, ...parts) => {
    const [braced, four, two, control] = parts as (string | undefined)[]
    if (control !== undefined) return controls[control]!
    const digits = braced ?? four ?? two
    if (digits === undefined) return whole
    const code = Number.parseInt(digits, 16)
    if (code > 0x10ffff) return whole
    const character = String.fromCodePoint(code)
    return /[A-Za-z0-9]/.test(character) || code < 0x20 || code > 0x7e ? character : `\\${character}`
  })
}
