// The changes between two points, as sentences: which generation changed the value.
import { dayOf, parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { TimePoint } from '../../api/points.ts'
import { longDate } from '../../text/words.ts'
import { spanOn, type MapLine } from './map-lines.ts'

/** Empty if a point is on no line of the map. */
export function describeDifference(lines: readonly MapLine[], a: TimePoint, b: TimePoint): string {
  const [from, to] = [lineOf(lines, a.generation), lineOf(lines, b.generation)]
  if (from === undefined || to === undefined) return ''
  const [before, after] = [valueAt(from, a), valueAt(to, b)]
  if (a.asOf !== b.asOf)
    return `Generation ${a.generation} has ${before}${formatAsOf(a)}; ${b.generation} has ${after}${formatAsOf(b)}.`
  const linesBetween = generationsBetween(lines, a, b)
  if (linesBetween.length === 0)
    return a.generation === b.generation
      ? `Generation ${a.generation} has ${before}${formatAsOf(a)}.`
      : `Generations ${a.generation} and ${b.generation} both have ${before}${formatAsOf(a)}; nothing between them changed that.`
  const steps = linesBetween
    .map((line) => `${line.generation}${formatOrigin(line)} changed it to ${valueAt(line, a)}`)
    .join(', ')
  const back = before === after ? 'So both have the same value. ' : ''
  const [low, first] = a.generation <= b.generation ? [a, before] : [b, after]
  return `Generation ${low.generation} has ${first}${formatAsOf(a)}; ${steps}. ${back}`.trim()
}

function lineOf(lines: readonly MapLine[], generation: number): MapLine | undefined {
  return lines.find((line) => line.generation === generation)
}

function valueAt(line: MapLine, { asOf }: TimePoint): string {
  const date = parseCivilDate(asOf ?? '')
  return spanOn(line, date === null ? 0 : dayOf(date))?.text ?? 'no value'
}

function formatAsOf({ asOf }: TimePoint): string {
  return asOf === null ? '' : ` for ${longDate(asOf)}`
}

function formatOrigin({ at, actor }: MapLine): string {
  const origin = [at === null ? '' : longDate(at.slice(0, 10)), actor].filter(Boolean).join(', ')
  return origin === '' ? '' : ` (${origin})`
}

/** The lines after the older point, up to the newer, whose value differs from the one before. */
function generationsBetween(lines: readonly MapLine[], a: TimePoint, b: TimePoint): MapLine[] {
  const low = Math.min(a.generation, b.generation)
  const high = Math.max(a.generation, b.generation)
  const passed = lines.filter(({ generation }) => low <= generation && generation <= high).reverse()
  return passed.filter((line, at) => at > 0 && valueAt(line, a) !== valueAt(passed[at - 1]!, a))
}
