// The map of a key as a drawing: one line per generation, stretches of days with one value, the borders between values.
import { dayOf, parseCivilDate } from '#kernel/dates/civil-date.ts'
import type { KeyHistoryRow } from '../../api/points.ts'
import { valueWords } from '../../text/words.ts'
import { positionOf, type TimeWindow } from '../component/timeline/scale.ts'

export interface MapSpan {
  /** First day, and the first that no longer applies; infinite without an end on that side. */
  from: number
  to: number
  text: string
  entry: string
}

export interface MapLine {
  generation: number
  /** Null if the instant was not read. */
  at: string | null
  actor: string
  /** Whether it changed the key; other lines have the values of the one below. */
  changed: boolean
  spans: MapSpan[]
}

/** Lines newest first: those that changed the key, and those of `others`, which take the values of the line below. */
export function mapLines(
  rows: readonly KeyHistoryRow[],
  others: readonly number[],
  words: (values: KeyHistoryRow['segments'][number]['values']) => string,
  when: (generation: number) => string | null,
): MapLine[] {
  const lines = rows.map((row): MapLine => {
    const { generation, at, actor, segments } = row
    const spans = segments.map(({ from, to, values, entry }) => ({
      ...{ from: dayNumber(from, -Infinity), to: dayNumber(to, Infinity), text: words(values), entry },
    }))
    return { generation, at, actor, changed: true, spans }
  })
  const extra = [...new Set(others)].filter((each) => !lines.some(({ generation }) => generation === each))
  const below = (generation: number): MapSpan[] =>
    lines.find((line) => line.changed && line.generation < generation)?.spans ?? []
  const added = extra.map((generation): MapLine => ({
    ...{ generation, at: when(generation), actor: '', changed: false, spans: below(generation) },
  }))
  return [...lines, ...added].sort((a, b) => b.generation - a.generation)
}

function dayNumber(date: string | null, otherwise: number): number {
  const parsed = parseCivilDate(date ?? '')
  return parsed === null ? otherwise : dayOf(parsed)
}

/** A short text for each row of values: its first field, and what distinguishes it. */
export function shortValues(
  values: Readonly<Record<string, unknown>>,
  fields: readonly { key: string; type: string }[],
): string {
  const [first, second] = fields.length > 0 ? fields : Object.keys(values).map((key) => ({ key, type: '' }))
  const named = [first, ...(second?.type === 'enum' ? [second] : [])]
  return named.flatMap((field) => (field === undefined ? [] : [valueWords(values[field.key])])).join(' ')
}

/** The value of a line on a day; null if none exists. */
export function spanOn({ spans }: MapLine, day: number): MapSpan | null {
  return spans.find(({ from, to }) => from <= day && day < to) ?? null
}

/** How strongly each value is drawn, from 0 to 1: numbers by size, other values in the order of time. */
export function shades(lines: readonly MapLine[]): Map<string, number> {
  const texts = [...new Set([...lines].reverse().flatMap(({ spans }) => spans.map(({ text }) => text)))]
  const sizes = texts.map((text) => Number.parseFloat(text))
  if (sizes.every((size) => !Number.isNaN(size)))
    texts.sort((a, b) => Number.parseFloat(a) - Number.parseFloat(b))
  return new Map(texts.map((text, at) => [text, texts.length === 1 ? 0.5 : at / (texts.length - 1)]))
}

export interface MapDrawing {
  areas: { x: number; width: number; y: number; text: string }[]
  /** Borders between values, as a path over a box of 1000 by the number of lines. */
  edges: string
  labels: { x: number; y: number; room: number; text: string }[]
  /** Which generation was in force on which day. */
  activationPath: string
}

const wide = 1000

/** Everything in a box of 1000 by the number of lines; labels in parts of 1 and in lines. */
export function drawMap(lines: readonly MapLine[], window: TimeWindow, now: number): MapDrawing {
  const x = (day: number): number => Math.min(Math.max(positionOf(window, day), 0), 1) * wide
  const visibleSpans = lines.map(({ spans }) =>
    spans
      .map((span) => ({ ...span, left: x(span.from), right: x(span.to) }))
      .filter(({ left, right }) => right > left),
  )
  const areas = visibleSpans.flatMap((spans, y) =>
    spans.map(({ left, right, text }) => ({ x: left, width: right - left, y, text })),
  )
  return {
    areas,
    edges: edgesOf(visibleSpans),
    labels: labelsOf(visibleSpans),
    activationPath: stairOf(lines, x, now),
  }
}

type VisibleSpan = MapSpan & { left: number; right: number }

function edgesOf(lines: readonly VisibleSpan[][]): string {
  const parts: string[] = []
  for (const [y, spans] of lines.entries()) {
    for (const [at, span] of spans.entries()) {
      const before = spans[at - 1]
      const meets = before !== undefined && before.right === span.left && before.text === span.text
      if (span.left > 0 && !meets) parts.push(`M${round(span.left)} ${y}V${y + 1}`)
      if (span.right < wide && spans[at + 1]?.left !== span.right)
        parts.push(`M${round(span.right)} ${y}V${y + 1}`)
    }
    const below = lines[y + 1]
    if (below !== undefined) parts.push(...edgesBetween(spans, below, y + 1))
  }
  return parts.join('')
}

/** The borders where a line has a different value than the one below it. */
function edgesBetween(above: readonly VisibleSpan[], below: readonly VisibleSpan[], y: number): string[] {
  const places = [...new Set([0, wide, ...[...above, ...below].flatMap(({ left, right }) => [left, right])])]
  places.sort((a, b) => a - b)
  const textAt = (spans: readonly VisibleSpan[], place: number): string | undefined =>
    spans.find(({ left, right }) => left <= place && place < right)?.text
  return places.slice(0, -1).flatMap((place, at) => {
    const differs = textAt(above, place) !== textAt(below, place)
    return differs ? [`M${round(place)} ${y}H${round(places[at + 1]!)}`] : []
  })
}

/** One label for a value that is unchanged through several lines. */
function labelsOf(lines: readonly VisibleSpan[][]): MapDrawing['labels'] {
  const labels: MapDrawing['labels'] = []
  const same = (a: VisibleSpan, b: VisibleSpan): boolean =>
    a.left === b.left && a.right === b.right && a.text === b.text
  for (const [top, spans] of lines.entries())
    for (const span of spans) {
      if (lines[top - 1]?.some((other) => same(other, span))) continue
      let bottom = top + 1
      while (lines[bottom]?.some((other) => same(other, span))) bottom += 1
      const room = (span.right - span.left) / wide
      labels.push({ x: (span.left + span.right) / 2 / wide, y: (top + bottom) / 2, room, text: span.text })
    }
  return labels
}

function stairOf(lines: readonly MapLine[], x: (day: number) => number, now: number): string {
  const steps = lines
    .flatMap(({ at }, y) => {
      const day = parseCivilDate(at?.slice(0, 10) ?? '')
      return day === null ? [] : [{ x: x(dayOf(day)), y: y + 0.5 }]
    })
    .reverse()
  if (steps.length === 0) return ''
  const [first, ...rest] = steps
  const up = rest.map((step) => `H${round(step.x)}V${step.y}`).join('')
  return `M${round(first!.x)} ${first!.y}${up}H${round(x(now))}`
}

function round(place: number): number {
  return Math.round(place * 100) / 100
}
