// The labels of components, if known.
import type { ComponentType } from '../api/wire.ts'
import { useCatalogue } from './catalogue.ts'

/** The label of a component by key; the key itself while it is not known, or if the user cannot see it. */
export function useLabels(): (type: ComponentType, key: string) => string {
  const catalogue = useCatalogue()
  return (type, key) => catalogue.envelope(type, key)?.label || key
}
