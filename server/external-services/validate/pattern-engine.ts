// Patterns of schemas on the linear engine of expressions, so that no pattern can block a call.
import { compilePattern, PatternError } from '#kernel/expr/pattern/pattern.ts'

type Matcher = (text: string) => boolean

/** Reports whether the engine has everything that a pattern of ECMA-262 uses: look-around, for example, it does not have. */
export function isSupportedPattern(pattern: string): boolean {
  return matcherOf(pattern) !== null
}

const mostLength = 10_000

function matcherOf(pattern: string): Matcher | null {
  if (pattern.length > mostLength) return null
  try {
    return compilePattern(translate(pattern))
  } catch (error) {
    if (error instanceof PatternError) return null
    throw error
  }
}

/** Writes characters by number, and control characters, as themselves: the engine has no names for them. */
function translate(pattern: string): string {
  return pattern.replaceAll(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([fv0])|[^])/g,
    (whole, ...parts) => {
      const [braced, four, two, control] = parts as (string | undefined)[]
      if (control !== undefined) return { f: '\f', v: '\v', 0: '\0' }[control]!
      const code = braced ?? four ?? two
      if (code === undefined) return whole
      const number = Number.parseInt(code, 16)
      if (number > 0x10ffff) return whole
      const character = String.fromCodePoint(number)
      return /[A-Za-z0-9]/.test(character) || number < 0x20 || number > 0x7e ? character : `\\${character}`
    },
  )
}

/** What Ajv calls in place of `RegExp`. */
export function patternEngine(pattern: string): { test: Matcher } {
  return { test: matcherOf(pattern) ?? (() => true) }
}
patternEngine.code = 'patternEngine'
