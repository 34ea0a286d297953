// Where two versions of a component differ, in the labels of its form.
import type { ComponentType } from '#kernel/components/component.ts'
import { formOf } from '#kernel/components/forms.ts'
import { formatValue } from '#kernel/change/format-value.ts'
import type { ChangeView } from '../../api/wire.ts'
import { fieldPlaceAt } from '../../text/form-place.ts'
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
  const place = path === '/body/effectiveTo' ? 'Last day' : labelOfPath(type, path)
  return reordered === true ? `Order of ${place}` : place
}

function labelOfPath(type: ComponentType, path: string): string {
  const steps = path.replace(/^\/(body\/)?/, '').split('/')
  if (!path.startsWith('/body'))
    return { label: 'Label', key: 'Key' }[path.slice(1)] ?? (steps.join(', ') || 'Everything')
  const parts = steps.map((step, at) => {
    const pointer = `/body/${steps.slice(0, at + 1).join('/')}`
    const { field, isItem } = fieldPlaceAt(formOf(type), pointer)
    return field === undefined || isItem || field.path.split('.').at(-1) !== step ? step : field.label
  })
  return parts.join(', ') || 'Everything'
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
  return typeof value === 'boolean' ? formatValue(value, isFlag) : valueWords(value)
}

/** The place of a reference from its JSON pointer: items of lists are counted from 1. */
export function pointerWords(type: ComponentType, pointer: string): string {
  const counted = pointer.replace(/\/(\d+)(?=\/|$)/g, (_, at: string) => `/${Number(at) + 1}`)
  return placeWords(type, { path: counted })
}
