// What an editor of expressions shows under the pointer.
import type { Completion } from '#kernel/expr/complete.ts'

/** The value of a part of an expression, in words: half-open offsets. */
export interface PartValue {
  start: number
  end: number
  words: string
}

export interface Hint {
  start: number
  end: number
  /** Markdown. */
  lines: string[]
}

interface Pointed {
  text: string
  offset: number
  values: readonly PartValue[]
}

/**
 * The type of the name at an offset, and the value of the smallest part around it. Null if there is neither.
 * @param complete the completions at an offset, which know the types of names
 */
export async function hintAt(
  { text, offset, values }: Pointed,
  complete: (offset: number) => Promise<Completion>,
): Promise<Hint | null> {
  const name = nameAt(text, offset)
  const part = values
    .filter(({ start, end }) => start <= offset && offset <= end)
    .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]
  const known = name === null ? undefined : await itemOf(name, complete)
  const value =
    part === undefined ? [] : [`\`${codeText(text.slice(part.start, part.end))}\` = **${plain(part.words)}**`]
  const lines = [
    ...(known === undefined ? [] : [`**${known.label}**: ${plain(known.type)}`, plain(known.doc)]),
    ...value,
  ].filter((line) => line !== '')
  const at = name ?? part
  return at === undefined || lines.length === 0 ? null : { start: at.start, end: at.end, lines }
}

interface Name {
  start: number
  end: number
  text: string
}

function nameAt(text: string, offset: number): Name | null {
  for (const found of text.matchAll(/[A-Za-z_]\w*/g)) {
    const [start, end] = [found.index, found.index + found[0].length]
    if (start <= offset && offset <= end) return { start, end, text: found[0] }
  }
  return null
}

async function itemOf(
  { text, end }: Name,
  complete: (offset: number) => Promise<Completion>,
): Promise<Completion['items'][number] | undefined> {
  const completion = await complete(end).catch(() => null)
  return completion?.items.find(({ label }) => label === text)
}

/** Labels and values are texts of authors, not Markdown. */
const plain = (text: string): string => text.replaceAll(/[\\`*_{}[\]()#+!<>|~-]/g, String.raw`\$&`)
const codeText = (text: string): string => text.replaceAll('`', "'")
