// Joins two texts of one draft that have the same base, if the user need not choose.
import { itemKeysOf } from '#kernel/components/item-keys.ts'
import type { ComponentType } from '../api/wire.ts'
import { readLoosely } from '../text/minimal-edit.ts'
import { mergeThreeWay, undecidedRows } from '../text/three-way.ts'
import { writeValue } from '../text/write-value.ts'

export type ThreeTexts = Readonly<Record<'base' | 'theirs' | 'mine', string>>

/** Theirs with what only I changed; null if both changed one place, or a text cannot be read. */
export function mergeDrafts(type: ComponentType, texts: ThreeTexts): string | null {
  if (texts.theirs === texts.mine || texts.base === texts.mine) return texts.theirs
  const [base, theirs, mine] = [texts.base, texts.theirs, texts.mine].map((text) => readLoosely(text))
  if ([base, theirs, mine].some((read) => read!.faults.length > 0)) return null
  const sides = { base: base!.value, theirs: theirs!.value, mine: mine!.value }
  const { rows, value } = mergeThreeWay(sides, itemKeysOf(type))
  return undecidedRows(rows, new Map()).length > 0 ? null : writeValue(texts.theirs, value)
}
