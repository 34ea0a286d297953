// Patterns for matches(): a regular subset that runs in time linear in the text, as RE2 does. It does not backtrack, so
// no pattern can block a save.
import { includesCodePoint, type CodePoints } from './code-points.ts'
import { parsePattern, PatternError, type PatternNode } from './parse-pattern.ts'

export { PatternError }

type Step =
  | { op: 'char'; of: CodePoints }
  | { op: 'split'; to: number; or: number }
  | { op: 'jump'; to: number }
  | { op: 'edge'; kind: Extract<PatternNode, { kind: 'edge' }>['edge'] }
  | { op: 'match' }

const MOST_PARTS = 5_000

interface Build {
  steps: Step[]
  /** The number of nodes emitted, with counts expanded; this also limits empty groups, which add no step. */
  visits: number
  readonly parts: { left: number }
}

/**
 * Returns a test whether the pattern occurs anywhere in a text; `^` and `$` anchor it to the ends.
 * `spend` counts the work as it is done, and can throw.
 * @param parts The number of parts that several patterns can still have together, with counts expanded; counted down.
 * @throws PatternFault with the place in the pattern.
 */
export function compilePattern(
  pattern: string,
  parts = { left: MOST_PARTS },
): (text: string, spend?: (steps: number) => void) => boolean {
  const build: Build = { steps: [], visits: 0, parts }
  emit(parsePattern(pattern), build)
  const steps = build.steps
  steps.push({ op: 'match' })
  return (text, spend = () => {}) => {
    // Spent before the text is split, because splitting is work too.
    spend(1 + (text.length >> 2))
    const codePoints = Array.from(text, (char) => char.codePointAt(0)!)
    return run(steps, codePoints, spend)
  }
}

function emit(node: PatternNode, build: Build): void {
  const steps = build.steps
  if (++build.visits > MOST_PARTS)
    throw new PatternError('The pattern is too large when its counts are expanded.', 0)
  if (--build.parts.left < 0)
    throw new PatternError('The patterns of this expression are too large together. Use fewer of them.', 0)
  switch (node.kind) {
    case 'char':
      steps.push({ op: 'char', of: node.of })
      return
    case 'edge':
      steps.push({ op: 'edge', kind: node.edge })
      return
    case 'sequence':
      for (const item of node.items) emit(item, build)
      return
    case 'either':
      emitEither(node.options, build)
      return
    case 'repeat':
      emitRepeat(node, build)
  }
}

function emitEither(options: readonly PatternNode[], build: Build): void {
  const steps = build.steps
  const exits: { op: 'jump'; to: number }[] = []
  options.forEach((option, index) => {
    if (index === options.length - 1) return emit(option, build)
    const split = { op: 'split' as const, to: steps.length + 1, or: 0 }
    steps.push(split)
    emit(option, build)
    const exit = { op: 'jump' as const, to: 0 }
    exits.push(exit)
    steps.push(exit)
    split.or = steps.length
  })
  for (const exit of exits) exit.to = steps.length
}

function emitRepeat(node: Extract<PatternNode, { kind: 'repeat' }>, build: Build): void {
  const steps = build.steps
  for (let i = 0; i < node.min; i++) emit(node.of, build)
  if (node.max === null) {
    const split = { op: 'split' as const, to: steps.length + 1, or: 0 }
    const start = steps.push(split) - 1
    emit(node.of, build)
    steps.push({ op: 'jump', to: start })
    split.or = steps.length
    return
  }
  const splits: { op: 'split'; to: number; or: number }[] = []
  for (let i = node.min; i < node.max; i++) {
    const split = { op: 'split' as const, to: steps.length + 1, or: 0 }
    splits.push(split)
    steps.push(split)
    emit(node.of, build)
  }
  for (const split of splits) split.or = steps.length
}

/** Runs all states at once, in one pass over the text. */
function run(steps: readonly Step[], text: readonly number[], spend: (steps: number) => void): boolean {
  let states: number[] = []
  const seen = new Int32Array(steps.length).fill(-1)
  const marked = (at: number, states: number[]): boolean => {
    const open = states.splice(0)
    open.push(0)
    let work = 0
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      if (seen[state] === at) continue
      seen[state] = at
      work += 1
      const step = steps[state]!
      if (step.op === 'match') return true
      if (step.op === 'char') {
        // Finding a code point in a class takes log2 comparisons of its number of ranges.
        work += 32 - Math.clz32(step.of.length)
        states.push(state)
      } else if (step.op === 'jump') open.push(step.to)
      else if (step.op === 'split') open.push(step.or, step.to)
      else if (atEdge(step.kind, text, at)) open.push(state + 1)
    }
    spend(1 + (work >> 2))
    return false
  }
  for (let at = 0; ; at++) {
    if (marked(at, states)) return true
    if (at === text.length) return false
    const codePoint = text[at]!
    const next: number[] = []
    for (const state of states) {
      const step = steps[state]!
      if (step.op === 'char' && includesCodePoint(step.of, codePoint)) next.push(state + 1)
    }
    states = next
  }
}

function atEdge(kind: 'start' | 'end' | 'word' | 'not_word', text: readonly number[], at: number): boolean {
  if (kind === 'start') return at === 0
  if (kind === 'end') return at === text.length
  const here = isWord(text[at - 1]) !== isWord(text[at])
  return kind === 'word' ? here : !here
}

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && codePoint < 128 && /\w/.test(String.fromCharCode(codePoint))
}
