// Where two versions of a component differ, in the labels of its form.
import type { ComponentType } from '#kernel/components/component.ts'
import { splitId } from '#kernel/components/component.ts'
import { labelOfPlace } from '#kernel/components/place-words.ts'
import { formatValue } from '#kernel/change/format-value.ts'
import { describeJson } from '#kernel/change/shape-description.ts'
import type { ChangeView, Finding } from '../../api/wire.ts'
import { lastDay, longDate, valueWords } from '../../text/words.ts'

type ValueChange = ChangeView['values'][number]

/** The name of a change; two changes of one key differ in their days: `vat, DE, org, from 1 Jan 2027`. */
export function changeName({
  title,
  takesEffect,
}: Pick<ChangeView['words'], 'title' | 'takesEffect'>): string {
  return takesEffect === 'immediately' ? title : `${title}, ${takesEffect}`
}

/** `Last day`, `Values, rate`, `Order of Fields`. */
export function placeWords(
  type: ComponentType,
  { path, reordered }: Pick<ValueChange, 'path' | 'reordered'>,
): string {
  const place = path === '/body/effectiveTo' ? 'Last day' : labelOfPlace(type, path)
  return reordered === true ? `Order of ${place}` : place
}

/** The keys of reordered items, a formatted date, or a value; `isFlag`: the value of a flag. */
export function sideWords(value: ValueChange, side: 'before' | 'after', isFlag: boolean): string {
  const shown = value[side]
  if (value.reordered === true) return (shown as string[]).join(', ')
  return placedValueWords(value.path, shown, isFlag)
}

/** The value at a place of a component; `isFlag`: the value of a flag. */
export function placedValueWords(path: string, value: unknown, isFlag: boolean): string {
  if (path === '/body/effectiveTo') return longDate(lastDay(value as string | null | undefined))
  if (path === '/body/effectiveFrom') return longDate(value as string | null | undefined) || '–'
  if (typeof value === 'boolean') return formatValue(value, isFlag)
  return typeof value === 'object' && value !== null ? describeJson(value) : valueWords(value)
}

/** The place of a reference from its JSON pointer: items of lists are counted from 1. */
export function pointerWords(type: ComponentType, pointer: string): string {
  const counted = pointer.replace(/\/(\d+)(?=\/|$)/g, (_, at: string) => `/${Number(at) + 1}`)
  return placeWords(type, { path: counted })
}

/** `app/billing, Flows, 1, Object`: where a finding is that the page shows without its component. */
export function findingPlace({ component, path }: Pick<Finding, 'component' | 'path'>): string {
  return path === '' ? component : `${component}, ${pointerWords(splitId(component).type, path)}`
}
