// A place in a component, in the labels of its form.
import type { ComponentType } from './component.ts'
import { fieldPlaceAt } from './form-place.ts'
import { formOf } from './forms.ts'

/** `Values, rate` for `/body/values/rate`; `Everything` for the whole component. */
export function labelOfPlace(type: ComponentType, path: string): string {
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
