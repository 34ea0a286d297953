// Where two versions of a component differ, in the labels of its form.
import type { ComponentType } from '#kernel/components/component.ts'
import { roomOf } from '#kernel/components/registry.ts'
import { plainText } from '#kernel/change/words.ts'
import type { ChangeView } from '../../api/wire.ts'
import { fieldPlaceAt } from '../../text/form-place.ts'
import { lastDay, longDate, valueWords } from '../../text/words.ts'

type ValueChange = ChangeView['values'][number]

/** `Last day`, `Values, rate`, `Order of Fields`. */
export function placeWords(type: ComponentType, { path, reordered }: ValueChange): string {
  const place = path === '/body/effectiveTo' ? 'Last day' : labelled(type, path)
  return reordered === true ? `Order of ${place}` : place
}

function labelled(type: ComponentType, path: string): string {
  const steps = path.replace(/^\/(body\/)?/, '').split('/')
  if (!path.startsWith('/body')) return { label: 'Label', key: 'Key' }[path.slice(1)] ?? steps.join('.')
  const parts = steps.map((step, at) => {
    const pointer = `/body/${steps.slice(0, at + 1).join('/')}`
    const { field, isItem } = fieldPlaceAt(roomOf(type).form, pointer)
    return field === undefined || isItem || field.path.split('.').at(-1) !== step ? step : field.label
  })
  return parts.join(', ') || 'Everything'
}

/** The keys of reordered items, a day as people write it, or a value; `isFlag`: the value of a flag. */
export function sideWords(value: ValueChange, side: 'before' | 'after', isFlag: boolean): string {
  const shown = value[side]
  if (value.reordered === true) return (shown as string[]).join(', ')
  if (value.path === '/body/effectiveTo') return longDate(lastDay(shown as string | null | undefined))
  if (value.path === '/body/effectiveFrom') return longDate(shown as string | null | undefined) || '–'
  return typeof shown === 'boolean' ? plainText(shown, isFlag) : valueWords(shown)
}
